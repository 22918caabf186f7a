import type { Connection } from '@parley/client/connection';
import { ParleyError } from '@parley/client/error';
import { createSessions, type SessionReference } from '@parley/client/session';
import {
  emptyTranscript,
  type IndexedEvent,
  reduceTranscript,
  type Transcript,
} from '@parley/client/transcript';
import { batch, computed, createModel, effect, signal } from '@preact/signals';
import type { ConversationStore } from './conversation-store.ts';
import { createFrameBatch } from './frame-batch.ts';

/** A message of this tab that the log does not show yet. */
export type Outgoing = {
  id: string;
  text: string;
  state: { kind: 'sending' } | { kind: 'accepted' } | { kind: 'failed'; error: ParleyError };
};

export type Answer = { optionId?: string; text?: string };
export type AnswerState = { kind: 'sending' } | { kind: 'failed'; error: ParleyError };

export type Link = 'none' | 'connecting' | 'live' | 'lost';

const longAfter = 1_000;

/** One visitor's conversation, without a view: what is known of it and what can be done in it. */
export const ChatModel = createModel((connection: Connection, store: ConversationStore) => {
  const sessions = createSessions(connection);
  const session = signal<SessionReference | null>(store.read());
  const transcript = signal<Transcript>(emptyTranscript);
  const outbox = signal<readonly Outgoing[]>([]);
  const answers = signal<ReadonlyMap<string, AnswerState>>(new Map());
  const link = signal<Link>('none');
  /** The stream has been lost for longer than a blink. */
  const reconnecting = signal(false);
  const online = signal(navigator.onLine);
  /** Why this conversation cannot be read. */
  const failure = signal<ParleyError | null>(null);
  const stopping = signal(false);
  /** The turns that answer messages of this page; the others were there before or come from elsewhere. */
  const ownTurns = signal<ReadonlySet<string>>(new Set());

  const busy = computed(
    () => transcript.value.status === 'working' || outbox.value.some(({ state }) => state.kind !== 'failed'),
  );
  const restoring = computed(
    () =>
      session.value !== null &&
      transcript.value.nextIndex === 0 &&
      outbox.value.length === 0 &&
      !failure.value,
  );

  const arrive = (events: IndexedEvent[]) =>
    batch(() => {
      let next = transcript.peek();
      let waiting = outbox.peek();
      for (const each of events) {
        next = reduceTranscript(next, each);
        if (each.event.type !== 'message.received') continue;
        const { message, turnId } = each.event.data;
        const sent = waiting.findIndex(({ text, state }) => text === message && state.kind !== 'failed');
        if (sent === -1) continue;
        waiting = waiting.toSpliced(sent, 1);
        ownTurns.value = new Set(ownTurns.peek()).add(turnId);
      }
      transcript.value = next;
      outbox.value = waiting;
      if (next.status !== 'working') stopping.value = false;
      const open = new Set(next.requests.map(({ requestId }) => requestId));
      const answering = [...answers.peek()].filter(([requestId]) => open.has(requestId));
      if (answering.length !== answers.peek().size) answers.value = new Map(answering);
    });

  const follow = async (sessionId: string, ending: AbortSignal) => {
    const incoming = createFrameBatch<IndexedEvent>(arrive);
    ending.addEventListener('abort', () => incoming.drop());
    try {
      const events = sessions.follow(sessionId, {
        signal: ending,
        onConnection: (connected) => {
          if (!ending.aborted) link.value = connected ? 'live' : 'lost';
        },
      });
      for await (const each of events) incoming.add(each);
    } catch (error) {
      if (!ending.aborted) failure.value = asParleyError(error);
    }
    if (!ending.aborted) link.value = 'none';
  };

  effect(() => {
    const sessionId = session.value?.sessionId;
    batch(() => {
      transcript.value = emptyTranscript;
      failure.value = null;
      ownTurns.value = new Set();
      link.value = sessionId === undefined ? 'none' : 'connecting';
    });
    if (sessionId === undefined) return;
    const stop = new AbortController();
    void follow(sessionId, stop.signal);
    return () => stop.abort();
  });

  effect(() => {
    const lost = link.value === 'lost';
    reconnecting.value = false;
    if (!lost) return;
    const timer = setTimeout(() => (reconnecting.value = true), longAfter);
    return () => clearTimeout(timer);
  });

  effect(() => {
    const update = () => {
      online.value = navigator.onLine;
      if (navigator.onLine) resend();
    };
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  });

  effect(() =>
    store.subscribe((reference) => {
      if (reference?.sessionId !== session.peek()?.sessionId) session.value = reference;
    }),
  );

  /** Messages leave one after the other: the first may have to make the session the next ones belong to. */
  let queue = Promise.resolve();
  /** Counts the conversations given up: a start that was under way then must not bring one back. */
  let given = 0;

  const setState = (id: string, state: Outgoing['state']) => {
    outbox.value = outbox.peek().map((each) => (each.id === id ? { ...each, state } : each));
  };

  const deliver = ({ id, text }: Outgoing) => {
    const before = given;
    setState(id, { kind: 'sending' });
    queue = queue.then(async () => {
      if (before !== given) return;
      try {
        const current = session.peek();
        if (current) await sessions.send(current, text, { idempotencyKey: id });
        else {
          const started = await sessions.start(text, { idempotencyKey: id });
          if (before !== given) return;
          store.write(started);
          session.value = started;
        }
        setState(id, { kind: 'accepted' });
      } catch (error) {
        setState(id, { kind: 'failed', error: asParleyError(error) });
      }
    });
  };

  const resend = () => {
    for (const each of outbox.peek()) {
      if (each.state.kind === 'failed' && each.state.error.code === 'NETWORK') deliver(each);
    }
  };

  return {
    session,
    transcript,
    outbox,
    answers,
    link,
    reconnecting,
    online,
    failure,
    busy,
    restoring,
    ownTurns,
    stopping,

    send(text: string) {
      const message: Outgoing = { id: randomId(), text, state: { kind: 'sending' } };
      outbox.value = [...outbox.peek(), message];
      deliver(message);
    },

    retry(id: string) {
      const message = outbox.peek().find((each) => each.id === id);
      if (message) deliver(message);
    },

    discard(id: string) {
      outbox.value = outbox.peek().filter((each) => each.id !== id);
    },

    async respond(requestId: string, answer: Answer) {
      const current = session.peek();
      if (!current) return;
      const set = (state: AnswerState) => (answers.value = new Map(answers.peek()).set(requestId, state));
      set({ kind: 'sending' });
      try {
        await sessions.respond(current, { inputResponses: [{ requestId, ...answer }] });
      } catch (error) {
        set({ kind: 'failed', error: asParleyError(error) });
      }
    },

    async stop() {
      const current = session.peek();
      if (!current) return;
      stopping.value = true;
      try {
        await sessions.cancel(current.sessionId);
      } catch {
        // The button is there again: the turn goes on, and so can the visitor.
        stopping.value = false;
      }
    },

    startNew() {
      given++;
      batch(() => {
        outbox.value = [];
        answers.value = new Map();
        store.write(null);
        session.value = null;
      });
    },
  };
});

export type Chat = InstanceType<typeof ChatModel>;

function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ParleyError('PROTOCOL', String(error), { cause: error });
}

// `crypto.randomUUID` is missing on pages that are not served over HTTPS.
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
