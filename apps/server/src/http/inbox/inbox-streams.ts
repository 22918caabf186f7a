import type { InboxChange } from '@parley/protocol/settings/inbox';
import type { Response } from 'express';
import { mayStillRead } from '../../auth/may-still-read.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Bus } from '../../bus/bus.ts';
import { Recheck } from '../../bus/recheck.ts';
import type { Logger } from '../../logger.ts';
import type { AgentsInScope } from '../../settings/agents-in-scope.ts';
import type { AgentOfTenant, SettingsStore } from '../../store/settings-store.ts';
import type { Store } from '../../store/store.ts';
import type { Heartbeat } from '../connection/heartbeat.ts';
import { highWaterBytes } from '../connection/high-water-bytes.ts';
import { writeBlankLine } from '../connection/write-blank-line.ts';
import { inboxItem } from './inbox-item.ts';

/** Streams of this process: each is a screen. */
const maxStreams = 500;
/** Of one member, who looks at one screen at a time. */
const maxStreamsOfMember = 10;
/** Conversations that are read at once. */
const page = 100;
/** Changes that wait to be read; where there are more, the lists are read again. */
const maxChanged = 2_000;
/** Agents of which it is looked at once whether they are new. */
const agentsPage = 1_000;
/** How long an agent may stay out of lists that are open while it was made, where nobody was told of it. */
const agentsMs = 60_000;

const lineOf = (change: InboxChange): string => `${JSON.stringify(change)}\n`;
const missedLine = lineOf({ type: 'missed' });

interface InboxStreamsDeps {
  readonly store: Pick<Store, 'getConversations' | 'getThreads'>;
  readonly stored: Pick<SettingsStore, 'agents' | 'members' | 'consoleSessions'>;
  readonly bus: Pick<Bus, 'subscribe' | 'onGap'>;
  readonly heartbeat: Pick<Heartbeat, 'join'>;
  readonly logger: Logger;
}

interface Follower {
  readonly principal: SettingsPrincipal;
  /** Whose agents are followed, also those that are new; null: the one that was named. */
  readonly tenantId: string | null;
  readonly agentIds: Set<string>;
  /** It did not take what was sent: once it does, it is told that it missed something. */
  isBehind: boolean;
}

/**
 * The lists of conversations as members have them open. What changed in one is read once, however many follow it and
 * however often it changes meanwhile. A right to read is looked at again with every beat, once in 5 s.
 */
export class InboxStreams {
  readonly #deps: InboxStreamsDeps;
  readonly #open = new Map<Response, Follower>();
  /** By the conversation; what was removed with the agent in whose list it was. */
  readonly #changed = new Map<string, { readonly removedFrom: string | null }>();
  readonly #agents: Recheck;
  #isReading = false;

  constructor(deps: InboxStreamsDeps) {
    this.#deps = deps;
    deps.bus.subscribe('threadChanged', ({ sessionId, removedFrom = null }) =>
      this.#note(sessionId, removedFrom),
    );
    deps.bus.subscribe('settingsChanged', ({ kind, id, tenantId }) => {
      if (kind === 'agent' && tenantId !== null) this.#follow(id, tenantId);
    });
    deps.bus.onGap(() => this.#missed());
    this.#agents = new Recheck({
      bus: deps.bus,
      roundMs: agentsMs,
      ids: () => new Set([...this.#open.values()].flatMap(({ tenantId }) => tenantId ?? [])),
      check: (tenantIds) => this.#followAll(tenantIds),
      onError: (err) => deps.logger.warn({ err }, 'agents that may be new could not be looked up'),
    });
  }

  /** Whether there is no room for another stream of theirs. */
  isFullFor(principal: SettingsPrincipal): boolean {
    if (this.#open.size >= maxStreams) return true;
    if (principal.kind === 'admin') return false;
    const own = [...this.#open.values()].filter(
      (each) => each.principal.kind === 'member' && each.principal.id === principal.id,
    );
    return own.length >= maxStreamsOfMember;
  }

  open(
    response: Response,
    principal: SettingsPrincipal,
    { tenantId, agents, isWhole }: AgentsInScope & { readonly isWhole: boolean },
  ): void {
    const { stored, heartbeat } = this.#deps;
    response.setHeader('cache-control', 'no-store, no-transform');
    response.setHeader('content-type', 'application/x-ndjson');
    response.setHeader('x-accel-buffering', 'no');
    const agentIds = new Set(agents.map(({ id }) => id));
    const follower = { principal, tenantId: isWhole ? tenantId : null, agentIds, isBehind: false };
    this.#open.set(response, follower);
    response.write('\n');
    const leave = heartbeat.join(() => {
      writeBlankLine(response);
      mayStillRead(stored, principal).then(
        (isAllowed) => isAllowed || response.end(),
        () => response.end(),
      );
    });
    response.on('drain', () => {
      if (follower.isBehind && !response.writableEnded) response.write(missedLine);
      follower.isBehind = false;
    });
    response.once('close', () => {
      leave();
      this.#open.delete(response);
    });
  }

  endAll(): void {
    this.#agents.stop();
    for (const response of this.#open.keys()) response.end();
  }

  /** An agent of theirs that was made since they opened the list. */
  #follow(agentId: string, tenantId: string): void {
    for (const [response, follower] of this.#open) {
      if (follower.tenantId !== tenantId || follower.agentIds.has(agentId)) continue;
      follower.agentIds.add(agentId);
      // Somebody may have written to it before this was told.
      this.#write(response, follower, missedLine);
    }
  }

  /** The agents of tenants whose lists are open, also those that nobody has told of. */
  async #followAll(tenantIds: readonly string[]): Promise<void> {
    let after: string | null = null;
    do {
      const query = { tenantIds, after, limit: agentsPage };
      const found: readonly AgentOfTenant[] = await this.#deps.stored.agents.listOfTenants(query);
      for (const { id, tenantId } of found) this.#follow(id, tenantId);
      after = found.length < agentsPage ? null : (found.at(-1)?.id ?? null);
    } while (after !== null);
  }

  #note(sessionId: string, removedFrom: string | null): void {
    if (this.#open.size === 0) return;
    if (this.#changed.size >= maxChanged) return this.#missed();
    // What is removed stays so, whatever another process says of it later.
    if (!this.#changed.get(sessionId)?.removedFrom) this.#changed.set(sessionId, { removedFrom });
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    const { store, logger } = this.#deps;
    this.#isReading = true;
    try {
      while (this.#changed.size > 0) {
        // What is published in the same turn of the event loop is one change.
        await new Promise(setImmediate);
        const changed = [...this.#changed].slice(0, page);
        for (const [id] of changed) this.#changed.delete(id);
        const ids = changed.flatMap(([id, { removedFrom }]) => (removedFrom === null ? [id] : []));
        const [conversations, threads] = await Promise.all([
          store.getConversations(ids),
          store.getThreads(ids),
        ]);
        for (const conversation of conversations) {
          if (conversation.interface !== 'sessions') continue;
          const thread = threads.find(({ sessionId }) => sessionId === conversation.id);
          this.#send(
            conversation.agentId,
            lineOf({ type: 'changed', item: inboxItem(conversation, thread) }),
          );
        }
        // After what was read before it was removed.
        for (const [id, { removedFrom }] of changed)
          if (removedFrom !== null) this.#send(removedFrom, lineOf({ type: 'removed', id }));
      }
    } catch (error) {
      logger.warn({ err: error }, 'what changed in the inbox could not be read');
      this.#missed();
    } finally {
      this.#isReading = false;
    }
  }

  #send(agentId: string, line: string): void {
    for (const [response, follower] of this.#open)
      if (follower.agentIds.has(agentId)) this.#write(response, follower, line);
  }

  #missed(): void {
    this.#changed.clear();
    for (const [response, follower] of this.#open) this.#write(response, follower, missedLine);
  }

  #write(response: Response, follower: Follower, line: string): void {
    if (response.writableEnded || follower.isBehind) return;
    if (response.writableLength + line.length >= highWaterBytes) follower.isBehind = true;
    else response.write(line);
  }
}
