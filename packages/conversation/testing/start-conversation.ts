import { onTestFinished, vi } from 'vitest';
import { createConversation } from '../src/conversation.ts';
import type { Environment } from '../src/environment.ts';
import { createMemoryFiles } from '../src/outbox/file-storage.ts';
import { createConversationStorage } from '../src/storage/conversation-storage.ts';
import type { ConversationEvent } from '../src/transcript/conversation-event.ts';
import { memoryStorage } from './memory-storage.ts';

export type Posted = {
  path: string;
  key: string | null;
  /** The token that says who the visitor is. */
  visitor: string | null;
  body: Record<string, unknown>;
};
type Event = { type: string; data?: object; meta?: { at: string } };

/** Where a test's conversations run, with a clock that the test moves. */
export type Browser = ReturnType<typeof createBrowser>;

export function createBrowser(now = Date.parse('2026-11-20T16:00:00Z')) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'], now });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const events = new EventTarget();
  const storage = memoryStorage();
  return {
    events,
    storage,
    environment: {
      storage: () => storage,
      openChannel: (name) => new BroadcastChannel(name),
      events,
    } satisfies Environment as Environment,
  };
}

/** A service that speaks the Sessions protocol over `fetch` as the test has it speak. */
export function createService() {
  const posted: Posted[] = [];
  /** The indexes that the ordinary stream was asked for. */
  const followed: number[] = [];
  const log: Event[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  /** As the service does: what a message was called when it was posted comes back with it. */
  const withMessageId = (event: Event): Event => {
    const { message, clientMessageId } = { ...event?.data } as Record<string, unknown>;
    const post = posted.find(({ body }) => body['message'] === message && !returned.has(body));
    if (event?.type !== 'message.received' || clientMessageId || !post) return event;
    returned.add(post.body);
    return { ...event, data: { ...event.data, clientMessageId: post.body['clientMessageId'] } };
  };
  const returned = new Set<object>();
  const encode = (event: Event) => new TextEncoder().encode(`${JSON.stringify(event)}\n`);
  const service = {
    posted,
    followed,
    /** What the agent's settings say, where that is not what they say here. */
    config: {} as { widget?: object; files?: object },
    /** Whether a start is answered with the stream. */
    streams: false,
    /** How many streams are open. */
    open: () => streams.size,
    /** Ends every open stream, as a lost connection does. */
    cut() {
      for (const each of streams) each.error(new TypeError('network error'));
      streams.clear();
    },
    /** Of the stream: what time the service has. */
    date: undefined as (() => number) | undefined,
    respond: ((): Response => Response.json({ ok: true, sessionId: 's1', continuationToken: 't1' })) as (
      post: Posted,
    ) => Response | Promise<Response>,
    /** Appends to the log, and to what is read of it. */
    write(...events: Event[]) {
      for (const event of events.map(withMessageId)) {
        log.push(event);
        for (const stream of streams) stream.enqueue(encode(event));
      }
    },
    fetch: async (...request: Parameters<typeof fetch>): Promise<Response> => {
      const { signal } = request[1] ?? {};
      signal?.throwIfAborted();
      const asked = new Request(request[0], {
        ...request[1],
        signal: null,
      });
      const { pathname, searchParams } = new URL(asked.url);
      if (pathname === '/v1/config') return Response.json({ ...config, ...service.config });
      if (asked.method !== 'GET') {
        const post = {
          path: pathname,
          key: asked.headers.get('idempotency-key'),
          visitor: asked.headers.get('x-parley-visitor-token'),
          body: pathname.endsWith('/file') ? {} : ((await asked.json()) as Record<string, unknown>),
        };
        posted.push(post);
        const aborted = new Promise<never>((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
        const response = await Promise.race([service.respond(post), aborted]);
        const isWanted = asked.headers.get('accept')?.startsWith('application/x-ndjson');
        if (!service.streams || !isWanted || !response.ok) return response;
        const names = { 'x-parley-session-id': 's1', 'x-parley-continuation-token': 't1' };
        return stream(0, signal, names);
      }
      followed.push(Number(searchParams.get('startIndex')));
      return stream(Number(searchParams.get('startIndex')), signal);
    },
  };
  /** The log from an index on, and what is written until the signal is aborted. */
  const stream = (startIndex: number, signal: AbortSignal | null | undefined, names = {}) => {
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        for (const event of log.slice(startIndex)) controller.enqueue(encode(event));
        streams.add(controller);
        signal?.addEventListener('abort', () => {
          if (streams.delete(own)) controller.error(signal.reason);
        });
      },
      cancel: () => void streams.delete(own),
    });
    const headers = {
      'content-type': 'application/x-ndjson',
      ...(service.date && { date: new Date(service.date()).toUTCString() }),
      ...names,
    };
    return new Response(body, { headers });
  };
  return service;
}

export type Service = ReturnType<typeof createService>;

const config = {
  ok: true,
  platform: 'parley',
  widget: { greeting: 'Hi', prompts: [], name: 'Fern' },
  files: { types: [], totalBytes: 0 },
  tools: {},
};

/** A conversation in a page of its own, with all that is loaded later, and what its page is told. */
export async function startConversation(service: Service, { environment }: Browser = createBrowser()) {
  const told: ConversationEvent[] = [];
  const errors: { code: string; message: string }[] = [];
  const conversation = createConversation({
    baseUrl: 'http://service',
    key: 'pk',
    environment: { ...environment, fetch: service.fetch },
    onEvent: (event) => told.push(event),
    onError: ({ code, message }) => errors.push({ code, message }),
  });
  onTestFinished(() => conversation.dispose());
  await conversation.loaded;
  return { conversation, told, errors };
}

/** What such a page has stored. */
export const readStorage = ({ environment }: Browser) =>
  createConversationStorage(
    'parley:http://service:pk',
    { storage: environment.storage! },
    createMemoryFiles(),
  );

/** Lets what was asked be answered, and time pass. */
export const pass = (milliseconds = 100) => vi.advanceTimersByTimeAsync(milliseconds);
