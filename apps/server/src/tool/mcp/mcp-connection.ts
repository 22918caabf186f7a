import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { ApprovedTool } from '@parley/protocol/settings/mcp-connection';
import { createSemaphore } from '../../egress/semaphore.ts';
import { unlessAborted } from '../../egress/unless-aborted.ts';
import { type CallCount, tooManyCalls } from '../call-count.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { ToolDelivery, ToolOutcome } from '../tool.ts';
import { McpError } from './mcp-error.ts';
import { mcpOutcome } from './mcp-output.ts';
import type { McpListing } from './mcp-session.ts';
import type { RemoteSession } from './remote-session.ts';
import { openRemoteSession, type RemoteDeps } from './open-remote-session.ts';

/** How long a call may take, from when it is sent. */
export const callTimeoutMs = 60_000;
/** What was listed longer ago is asked for again before the next call. */
const maxListingAgeMs = 10 * 60_000;
const parallelCalls = 4;

/** What came of asking a server for its tools. */
export type McpFound =
  | { readonly listing: McpListing }
  | { readonly problem: string; readonly code: McpError['code'] };

export interface McpConnectionDeps extends RemoteDeps {
  readonly count: CallCount;
  /** The same for each visitor where they sign in themselves, and how they do. */
  readonly signIns: Pick<SignIns, 'token' | 'link' | 'settled'>;
  /** Called with what is known now, often that it is as before. Never rejects. */
  readonly report: (connection: RemoteSettings, found: McpFound) => Promise<void>;
}

interface Opened {
  readonly session: RemoteSession;
  readonly listing: McpListing;
}

/** A connection in this process: opened by the first call, asked for its tools again now and then, closed by its owner. */
export class McpConnection {
  readonly #settings: RemoteSettings;
  readonly #deps: Omit<McpConnectionDeps, 'signIns'>;
  readonly #slots = createSemaphore(parallelCalls);
  /** Calls that are under way in a session. */
  readonly #calls = new Map<RemoteSession, number>();
  /** Sessions in which no call begins any more, and others may be under way. */
  readonly #left = new Set<RemoteSession>();
  #opened: Promise<Opened> | null = null;
  #listedAt = 0;
  #isClosed = false;

  constructor(settings: RemoteSettings, deps: Omit<McpConnectionDeps, 'signIns'>) {
    this.#settings = settings;
    this.#deps = deps;
  }

  async call(
    tool: ApprovedTool,
    input: Record<string, unknown>,
    { signal }: Pick<ToolDelivery, 'signal'>,
  ): Promise<ToolOutcome> {
    const { name } = this.#settings;
    const tooMany = await tooManyCalls(this.#settings, this.#deps.count);
    if (tooMany !== null) return tooMany;
    const late = AbortSignal.any([signal, AbortSignal.timeout(2 * callTimeoutMs)]);
    let release: (() => void) | undefined;
    let isSent = false;
    const doubt = () => (isSent && !tool.definition.hints.idempotent ? mayBeDone : '');
    try {
      release = await this.#slots.take('', late);
      return await unlessAborted(
        this.#attempt(tool, input, late, (sent) => (isSent = sent)),
        late,
      );
    } catch (error) {
      if (signal.aborted) return failed('CANCELLED', `The call was cancelled.${doubt()}`);
      if (late.aborted) return failed('TIMEOUT', `${name} did not answer in time.${doubt()}`);
      if (!(error instanceof McpError)) throw error;
      const isUnknown = unknownOutcomes.has(error.code);
      const message = `${name} could not be used. ${error.message}${isUnknown ? doubt() : ''}`;
      return failed(codes[error.code], message);
    } finally {
      release?.();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened;
    this.#opened = null;
    const left = [...this.#left].map((session) => session.close());
    // A session that never opened has nothing to close, and whoever waited for it was told.
    const open = opened?.then(
      ({ session }) => session.close(),
      () => undefined,
    );
    await Promise.all([open, ...left]);
  }

  async #attempt(
    tool: ApprovedTool,
    input: Record<string, unknown>,
    signal: AbortSignal,
    /** Whether the call may be with the server now. */
    sending: (isSent: boolean) => void,
  ): Promise<ToolOutcome> {
    const { name } = this.#settings;
    for (let attempt = 0; ; attempt++) {
      const opening = this.#current();
      const { session, listing } = await opening;
      const listed = listing.tools.find((each) => each.name === tool.name);
      if (listed?.fingerprint !== tool.fingerprint)
        return failed(
          'TOOL_CHANGED',
          `${name} has changed this tool since it was approved, so the call was not made.`,
        );
      this.#calls.set(session, (this.#calls.get(session) ?? 0) + 1);
      try {
        sending(true);
        const result = await session.call(tool.name, input, { signal, timeout: callTimeoutMs });
        return mcpOutcome(name, result, (text) => session.redacted(text));
      } catch (error) {
        if (!(error instanceof McpError) || error.code !== 'session-ended') throw error;
        // The server has forgotten the session, so it has not run the call.
        sending(false);
        if (this.#opened === opening) this.#opened = null;
        this.#left.add(session);
        if (attempt > 0 || signal.aborted) throw error;
      } finally {
        await this.#callEnded(session);
      }
    }
  }

  /** Closing a session cuts its other calls: one that was refused may have been refused for itself. */
  async #callEnded(session: RemoteSession): Promise<void> {
    const calls = (this.#calls.get(session) ?? 0) - 1;
    if (calls > 0) return void this.#calls.set(session, calls);
    this.#calls.delete(session);
    if (this.#left.delete(session)) await session.close();
  }

  /** The session with a list that is not too old. Calls at once share it. */
  #current(): Promise<Opened> {
    const age = performance.now() - this.#listedAt;
    if (this.#opened !== null && age < maxListingAgeMs) return this.#opened;
    const before = this.#opened;
    const opening = before === null ? this.#open() : before.then((opened) => this.#listAgain(opened));
    this.#opened = opening;
    this.#listedAt = performance.now();
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = null;
    });
    return opening;
  }

  async #open(): Promise<Opened> {
    try {
      if (this.#isClosed) throw new McpError('failed', 'The connection was closed.');
      return await this.#listed(await openRemoteSession(this.#settings, this.#deps));
    } catch (error) {
      if (error instanceof McpError)
        await this.#deps.report(this.#settings, { problem: error.explanation, code: error.code });
      throw error;
    }
  }

  /** A session that cannot list any more is followed by a new one. */
  #listAgain({ session }: Opened): Promise<Opened> {
    return this.#listed(session).catch(() => this.#open());
  }

  async #listed(session: RemoteSession): Promise<Opened> {
    try {
      const listing = await session.list();
      await this.#deps.report(this.#settings, { listing });
      return { session, listing };
    } catch (error) {
      if (this.#calls.has(session)) this.#left.add(session);
      else await session.close();
      throw error;
    }
  }
}

const codes = {
  denied: 'REFUSED',
  redirect: 'REDIRECTED',
  unauthorized: 'UNAUTHORIZED',
  'session-ended': 'UNREACHABLE',
  timeout: 'TIMEOUT',
  'too-large': 'TOO_LARGE',
  'no-answer': 'UNREACHABLE',
  failed: 'UNREACHABLE',
} as const satisfies Record<McpError['code'], string>;

/** After these the server may have run the call. */
const unknownOutcomes: ReadonlySet<McpError['code']> = new Set(['timeout', 'too-large', 'no-answer']);
const mayBeDone = ' The call may have taken effect; do not make it again.';

const failed = (code: string, message: string): ToolOutcome => ({ ok: false, code, message });
