import type { Response } from 'express';
import { mayStillRead } from '../../auth/may-still-read.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import { encodeEvent } from '../../events/encode-event.ts';
import type { EventBus } from '../../events/event-bus.ts';
import { redactEvent } from '../../events/redact-event.ts';
import { subscribe } from '../../events/subscribe.ts';
import type { Logger } from '../../logger.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Store } from '../../store/store.ts';
import type { Heartbeat } from '../connection/heartbeat.ts';
import { highWaterBytes } from '../connection/high-water-bytes.ts';
import { writeBlankLine } from '../connection/write-blank-line.ts';

/** Streams of this process that members read at once: each is a screen. */
const maxStreams = 500;
/** Of one member, who has no more screens: a single one does not keep the others out. */
const maxStreamsOfMember = 20;

interface ConversationStreamsDeps {
  readonly store: Pick<Store, 'readEvents'>;
  readonly stored: Pick<SettingsStore, 'members' | 'consoleSessions'>;
  readonly live: EventBus;
  readonly heartbeat: Pick<Heartbeat, 'join'>;
  readonly fileUrl: (id: string) => string;
  readonly logger: Logger;
}

interface Follower {
  readonly sessionId: string;
  /** Null: the holder of the admin token. */
  readonly memberId: string | null;
}

/** Conversations as members of the team follow them. A right to read is looked at again with every beat, once in 5 s. */
export class ConversationStreams {
  readonly #deps: ConversationStreamsDeps;
  readonly #open = new Map<Response, Follower>();

  constructor(deps: ConversationStreamsDeps) {
    this.#deps = deps;
  }

  /** Whether there is no room for another stream of theirs. */
  isFullFor(principal: SettingsPrincipal): boolean {
    if (this.#open.size >= maxStreams) return true;
    const memberId = memberIdOf(principal);
    const own = [...this.#open.values()].filter((each) => memberId !== null && each.memberId === memberId);
    return own.length >= maxStreamsOfMember;
  }

  open(response: Response, sessionId: string, from: number, principal: SettingsPrincipal): void {
    const { store, stored, live, heartbeat, fileUrl, logger } = this.#deps;
    response.setHeader('cache-control', 'no-store, no-transform');
    response.setHeader('content-type', 'application/x-ndjson');
    response.setHeader('x-accel-buffering', 'no');
    this.#open.set(response, { sessionId, memberId: memberIdOf(principal) });
    response.write('\n');
    const subscription = subscribe(
      { store, live },
      sessionId,
      from,
      (events) => {
        if (response.writableEnded) return 0;
        let text = '';
        let taken = 0;
        for (const event of events) {
          if (response.writableLength + text.length >= highWaterBytes) break;
          text += encodeEvent(redactEvent(event, 'team'), { continuationToken: '', fileUrl }, null);
          taken += 1;
        }
        if (text !== '') response.write(text);
        return taken;
      },
      (error) => {
        logger.warn({ err: error }, 'a conversation could not be followed');
        response.destroy();
      },
    );
    const leave = heartbeat.join(() => {
      writeBlankLine(response);
      mayStillRead(stored, principal).then(
        (isAllowed) => isAllowed || response.end(),
        () => response.end(),
      );
    });
    response.on('drain', () => subscription.resume());
    response.once('close', () => {
      subscription.stop();
      leave();
      this.#open.delete(response);
    });
  }

  /** Ends every stream of the conversation. */
  endSession(sessionId: string): void {
    for (const [response, follower] of this.#open) if (follower.sessionId === sessionId) response.end();
  }

  endAll(): void {
    for (const response of this.#open.keys()) response.end();
  }
}

const memberIdOf = (principal: SettingsPrincipal): string | null =>
  principal.kind === 'member' ? principal.id : null;
