import { alone } from '../tabs/alone.ts';
import { type Connection, randomKey } from '@parley/client/connection';
import { isPassing, ParleyError, transportError } from '@parley/client/error';
import { cancelStream, type OpenStream } from '@parley/client/open-stream';
import type { MessageInputPart, TurnOptions } from '@parley/client/session-input';
import { sendInput, startStream } from '@parley/client/session-client';
import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { ConversationState } from '../conversation-state.ts';
import type { Clock } from '@parley/client/clock';
import type { Environment } from '../environment.ts';
import type { Identity } from '../identity/identity.ts';
import { asParleyError, nextPause } from '../reconnection.ts';
import {
  type ConversationStorage,
  longestWait,
  type Session,
  type StoredMessage,
} from '../storage/conversation-storage.ts';
import type { FileStorage } from './file-storage.ts';
import type { OutboxMessage } from './outbox-message.ts';

type Deps = {
  state: ConversationState;
  storage: ConversationStorage;
  files: FileStorage;
  connection: Connection;
  identity: Identity;
  clock: Clock;
  locks: Environment['locks'];
  /** The first message has begun a session. */
  began: (session: Session, stream: OpenStream | null) => void;
};

export type Outbox = ReturnType<typeof createOutbox>;

/** The messages that the log does not show yet. They leave one after the other, each once, and outlive a reload. */
export function createOutbox({ state, storage, files, connection, identity, clock, locks, began }: Deps) {
  const messages = state.outbox;
  /** The first message may have to make the session that the next ones belong to. */
  let queue = Promise.resolve();
  let current = new AbortController();
  const generation = signal(current.signal);
  let failures = 0;
  let cancelResend = () => {};

  const set = (changed: readonly OutboxMessage[]) => {
    for (const each of messages.value)
      if (each.parts && changed.every(({ id }) => id !== each.id)) void files.remove(each);
    messages.value = changed;
    storage.writeOutbox(changed);
  };
  const change = (id: string, changed: Partial<OutboxMessage>) =>
    set(messages.value.map((each) => (each.id === id ? { ...each, ...changed } : each)));

  const deliver = (message: OutboxMessage) => {
    const { id, text, parts, shown } = message;
    const { value: abandoned } = generation;
    const find = () => messages.value.find((each) => each.id === id);
    /** Another tab may have taken the message back, or the log may show it by now. */
    const isUnwanted = () => abandoned.aborted || !find();
    change(id, { state: { kind: 'sending' } });
    queue = queue.then(async () => {
      const found = find();
      if (abandoned.aborted || !found) return;
      const { options } = found;
      const own = {
        ...connection,
        async fetch(...request: Parameters<typeof fetch>) {
          await identity.ready;
          // The identity may have changed while it waited: nothing is sent under the token of another visitor.
          if (isUnwanted()) throw new Error('Given up.');
          return identity.fetch(...request);
        },
      };
      const send = async (to: Connection, said: string | readonly MessageInputPart[]) => {
        const input = { message: said, clientMessageId: id, ...options };
        const next = shown === undefined ? input : { ...input, shownIndex: shown };
        const add = (session: Session) =>
          session.first !== id && sendInput(to, session, next, { idempotencyKey: id });
        // However long that takes, a request has its own time.
        await identity.ready;
        if (state.session.value) return add(state.session.value);
        // Of two tabs one begins the conversation, and the other goes on with it.
        await alone(locks, `${storage.name}:begin`, async () => {
          const there = storage.read();
          if (there) return add(there);
          const started = startStream(to, input, { idempotencyKey: id }).then(({ session, stream }) => {
            if (abandoned.aborted) cancelStream(stream);
            else began({ ...session, first: id }, stream);
          });
          await Promise.race([
            started,
            new Promise<void>((resolve) => abandoned.addEventListener('abort', () => resolve())),
          ]);
        });
      };
      const ahead = messages.value.find((each) => each.id === id || isUnheard(each));
      // What was said before it is said first.
      if (ahead && ahead.id !== id) return change(id, { state: ahead.state });
      try {
        if (parts) {
          const { sendFiles } = await import('./attaching.ts').catch((cause: unknown) => {
            throw transportError(cause);
          });
          await sendFiles(own, files, message, send, (fileIds) => change(id, { fileIds }));
        } else await send(own, text);
        failures = 0;
        if (!abandoned.aborted) change(id, { state: { kind: 'accepted' } });
      } catch (error) {
        if (isUnwanted()) return;
        const failure = asParleyError(error);
        change(id, { state: { kind: 'failed', error: failure, at: clock.now() } });
        // Nothing may tell that the service is back: before the first message there is no stream.
        cancelResend();
        cancelResend = clock.after(nextPause(failure, failures++), () => state.online.value && resend());
      }
    });
  };

  const isDue = ({ state: sent }: OutboxMessage) =>
    sent.kind === 'failed' && sent.at + (sent.error.retryAfter ?? 0) * 1_000 <= clock.now();
  /** Sends again what did not get through, but for what the service has said to send later. */
  const resend = () => messages.value.filter((each) => isUnheard(each) && isDue(each)).forEach(deliver);

  return {
    /** Aborted when the visitor or the conversation is another one: nothing under way for the earlier may bring it back. */
    generation: generation as ReadonlySignal<AbortSignal>,
    set,
    deliver,
    /** Nothing of it is sent or changes anything any more. */
    abort() {
      current.abort();
      current = new AbortController();
      generation.value = current.signal;
      queue = Promise.resolve();
      cancelResend();
    },
    add(
      said: Pick<StoredMessage, 'text' | 'parts' | 'after' | 'shown'>,
      attached: readonly File[],
      options: Promise<TurnOptions>,
    ) {
      const message: OutboxMessage = {
        id: randomKey(),
        ...said,
        at: clock.now(),
        queued: state.transcript.value.status === 'working' || messages.value.length > 0,
        state: { kind: 'sending' },
      };
      resend();
      set([...messages.value, message]);
      if (message.parts) void files.keep(message, attached);
      const { value: abandoned } = generation;
      queue = queue.then(async () => {
        const told = await options;
        if (!abandoned.aborted) change(message.id, { options: told });
      });
      deliver(message);
    },
    /** Sends what an earlier page has left; what has become too old for that is its visitor's to send, or not. */
    restore() {
      const tooOld = { kind: 'failed', error: new ParleyError('PROTOCOL', 'Too old.'), at: 0 } as const;
      messages.value = storage.readOutbox().map((each) => ({
        ...each,
        restored: true,
        state: clock.now() - each.at < longestWait ? { kind: 'sending' } : tooOld,
      }));
      messages.value.filter(({ state: { kind } }) => kind === 'sending').forEach(deliver);
    },
    resend,
  };
}

const isUnheard = ({ state }: OutboxMessage) => state.kind === 'failed' && isPassing(state.error);
