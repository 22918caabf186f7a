import type { InboxChange } from '@parley/protocol/settings/inbox';
import type { Response } from 'express';
import { mayStillRead } from '../../auth/may-still-read.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Bus } from '../../bus/bus.ts';
import type { Logger } from '../../logger.ts';
import type { AgentsInScope } from '../../settings/agents-in-scope.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
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

const lineOf = (change: InboxChange): string => `${JSON.stringify(change)}\n`;
const missedLine = lineOf({ type: 'missed' });

interface InboxStreamsDeps {
  readonly store: Pick<Store, 'getConversations' | 'getThreads'>;
  readonly stored: Pick<SettingsStore, 'members' | 'consoleSessions'>;
  readonly bus: Pick<Bus, 'subscribe' | 'onGap'>;
  readonly heartbeat: Pick<Heartbeat, 'join'>;
  readonly logger: Logger;
}

interface Follower {
  readonly principal: SettingsPrincipal;
  readonly agentIds: ReadonlySet<string>;
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
  readonly #changed = new Set<string>();
  #isReading = false;

  constructor(deps: InboxStreamsDeps) {
    this.#deps = deps;
    deps.bus.subscribe('threadChanged', ({ sessionId }) => this.#note(sessionId));
    deps.bus.onGap(() => this.#missed());
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

  open(response: Response, principal: SettingsPrincipal, { agents }: AgentsInScope): void {
    const { stored, heartbeat } = this.#deps;
    response.setHeader('cache-control', 'no-store, no-transform');
    response.setHeader('content-type', 'application/x-ndjson');
    response.setHeader('x-accel-buffering', 'no');
    const follower = { principal, agentIds: new Set(agents.map(({ id }) => id)), isBehind: false };
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
    for (const response of this.#open.keys()) response.end();
  }

  #note(sessionId: string): void {
    if (this.#open.size === 0) return;
    if (this.#changed.size >= maxChanged) return this.#missed();
    this.#changed.add(sessionId);
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    const { store, logger } = this.#deps;
    this.#isReading = true;
    try {
      while (this.#changed.size > 0) {
        // What is published in the same turn of the event loop is one change.
        await new Promise(setImmediate);
        const ids = [...this.#changed].slice(0, page);
        for (const id of ids) this.#changed.delete(id);
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
