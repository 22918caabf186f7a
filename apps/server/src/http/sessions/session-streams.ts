import {
  sessionHeaders,
  streamContentType,
  streamFormat,
  streamVersion,
} from '@parley/protocol/session-headers';
import type { StreamQuery } from '@parley/protocol/session-queries';
import type { ServiceStatus } from '@parley/protocol/settings/status';
import type { Response } from 'express';
import type { Logger } from '../../logger.ts';
import { encodeEvent } from '../../events/encode-event.ts';
import { type Audience, redactEvent } from '../../events/redact-event.ts';
import { SessionRemovedError, type Subscription, subscribe } from '../../events/subscribe.ts';
import type { EventBus } from '../../events/event-bus.ts';
import type { SessionTokens } from '../../session/session-token.ts';
import { TextAccumulator } from '../../events/text-accumulator.ts';
import type { StoredEvent } from '../../store/event-store.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { KeyRecord } from '../../store/settings-store.ts';
import type { Store } from '../../store/store.ts';
import type { Heartbeat } from '../connection/heartbeat.ts';
import { highWaterBytes } from '../connection/high-water-bytes.ts';
import type { OpenReaders } from '../connection/open-readers.ts';
import { writeBlankLine } from '../connection/write-blank-line.ts';

interface StreamsDeps {
  readonly store: Store;
  readonly live: EventBus;
  readonly tokens: SessionTokens;
  readonly platform: string;
  /** Where a stored file is served. */
  readonly fileUrl: (id: string) => string;
  readonly heartbeat: Heartbeat;
  readonly readers: OpenReaders;
  readonly logger: Logger;
}

export type StreamedSession = Pick<SessionRecord, 'id' | 'nextIndex' | 'status'>;

interface StreamRequest {
  readonly session: StreamedSession;
  readonly key: KeyRecord;
  /** Who reads, or null: nobody in particular. */
  readonly visitor: string | null;
  /** Unix milliseconds at which the visitor's token expires; null without one. */
  readonly visitorUntil: number | null;
  readonly query: StreamQuery;
}

interface Reader {
  readonly session: StreamedSession;
  /** The first index to send. */
  readonly from: number;
  readonly audience: Audience;
  readonly verify: () => Promise<void>;
}

/** The open streams of the Sessions interface: `sessions-protocol` section 2. */
export class SessionStreams {
  readonly #deps: StreamsDeps;
  readonly #open = new Set<Response>();
  readonly #bySession = new Map<string, Set<Response>>();
  readonly #lines = new WeakMap<StoredEvent, Partial<Record<Audience, string>>>();

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
  }

  /** Sends the events from the start index on, then every further one as it is appended. */
  open(response: Response, { session, key, visitor, visitorUntil, query }: StreamRequest): void {
    const { startIndex, includeTailIndex, soFar } = query;
    const headers = sessionHeaders(this.#deps.platform);
    response.setHeader('cache-control', 'no-store, no-transform');
    response.setHeader('content-type', streamContentType);
    response.setHeader('x-accel-buffering', 'no');
    response.setHeader(headers.sessionId, session.id);
    response.setHeader(headers.streamFormat, streamFormat);
    response.setHeader(headers.streamVersion, streamVersion);
    if (includeTailIndex) response.setHeader(headers.streamTailIndex, String(session.nextIndex - 1));
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }

    const from = startIndex < 0 ? Math.max(session.nextIndex + startIndex, 0) : startIndex;
    if ((session.status === 'completed' || session.status === 'failed') && from >= session.nextIndex) {
      response.end('\n');
      return;
    }
    const audience = key.kind === 'secret' ? 'full' : 'status';
    if (response.closed) return;
    const right = { key, sessionId: session.id, visitor, until: visitorUntil };
    const { checked, verify, leave } = this.#deps.readers.add(right, () => endAll([response]));
    response.once('close', leave);
    this.#open.add(response);
    const forget = remember(this.#bySession, session.id, response);
    response.once('close', () => {
      this.#open.delete(response);
      forget();
    });
    checked
      .then(() =>
        this.#send(response, { session, from, audience, verify }, soFar ? new TextAccumulator() : null),
      )
      .catch((error: unknown) => this.#abandon(response, error));
  }

  /** Ends every stream of the session. */
  endSession(sessionId: string): void {
    endAll(this.#bySession.get(sessionId));
  }

  status(): ServiceStatus['streams'] {
    const behind = [...this.#open].filter((response) => response.writableNeedDrain).length;
    return { open: this.#open.size, behind };
  }

  /** Ends every stream: the readers come back to whoever serves next. */
  endAll(): void {
    for (const response of this.#open) response.end();
  }

  async #send(
    response: Response,
    { session, from, audience, verify }: Reader,
    soFar: TextAccumulator | null,
  ): Promise<void> {
    const { store, live, heartbeat } = this.#deps;
    const verified: Pick<Store, 'readEvents'> = {
      async readEvents(...page) {
        const read = await store.readEvents(...page);
        await verify();
        return read;
      },
    };
    /** A reader of what does not exist yet still has to see the session end. */
    const known = Math.min(from, session.nextIndex);
    const start = soFar && known > 0 ? await store.stepStartIndex(session.id, known) : known;
    if (response.writableEnded || response.closed) return;
    /** Headers and a first byte leave even if there is no event; with the first events when those are at hand. */
    let opening = '\n';
    setImmediate(() => {
      if (opening !== '' && !response.writableEnded) response.write(opening);
      opening = '';
    });

    const following: Subscription = subscribe(
      { store: verified, live },
      session.id,
      start,
      (events) => {
        if (response.writableEnded) return 0;
        let text = '';
        let taken = 0;
        let ended = false;
        for (const event of events) {
          if (response.writableLength + text.length >= highWaterBytes) break;
          soFar?.apply(event.event);
          if (event.index >= from) text += this.#line(event, session.id, audience, soFar);
          ended ||= event.event.type === 'session.completed' || event.event.type === 'session.failed';
          taken += 1;
        }
        if (text !== '') response.write(opening + text);
        if (text !== '') opening = '';
        if (ended) response.end();
        return taken;
      },
      (error) => this.#abandon(response, error),
    );
    const leaveHeartbeat = heartbeat.join(() => writeBlankLine(response));
    response.on('drain', () => following.resume());
    response.once('close', () => {
      following.stop();
      leaveHeartbeat();
    });
  }

  #line(event: StoredEvent, sessionId: string, audience: Audience, soFar: TextAccumulator | null): string {
    const { tokens, fileUrl } = this.#deps;
    const encode = () => {
      const continuationToken = event.event.type === 'session.waiting' ? tokens.of(sessionId) : '';
      return encodeEvent(redactEvent(event, audience), { continuationToken, fileUrl }, soFar);
    };
    if (soFar && event.event.type.endsWith('.appended')) return encode();
    const known = this.#lines.get(event) ?? {};
    const line = (known[audience] ??= encode());
    this.#lines.set(event, known);
    return line;
  }

  #abandon(response: Response, error: unknown): void {
    // Nothing failed: whoever comes back is told that it is gone.
    if (error instanceof SessionRemovedError) return endAll([response]);
    this.#deps.logger.warn({ err: error }, 'a stream could not be read from the log');
    response.destroy();
  }
}

function endAll(responses: Iterable<Response> = []): void {
  for (const response of responses) {
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

function remember(map: Map<string, Set<Response>>, id: string, response: Response): () => void {
  const responses = map.get(id) ?? new Set();
  map.set(id, responses.add(response));
  return () => {
    responses.delete(response);
    if (responses.size === 0 && map.get(id) === responses) map.delete(id);
  };
}
