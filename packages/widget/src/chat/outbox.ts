import { type Connection, randomKey } from '@parley/client/connection';
import { isPassing, ParleyError } from '@parley/client/error';
import { cancelStream, type OpenStream } from '@parley/client/open-stream';
import type { MessageInputPart, TurnOptions } from '@parley/client/session';
import { createTalk, type Talk } from '@parley/client/talk';
import { loadAttachments, withAttachments } from '../attachments/load-attachments.ts';
import type { ChatState, Outgoing } from './chat-state.ts';
import {
  type Conversation,
  type ConversationStore,
  longestWait,
  type SavedMessage,
} from './conversation-store.ts';
import { asParleyError, nextPause } from './network.ts';
import type { Page } from './page.ts';
import type { Store } from './store.ts';

/** The messages that the log does not show yet. They leave one after the other, each once, and outlive a reload. */
export function createOutbox(
  store: Store<ChatState>,
  saved: ConversationStore,
  connection: Connection,
  page: Page,
  began: (session: Conversation, stream: OpenStream | null) => void,
) {
  /** The first message may have to make the session that the next ones belong to. */
  let queue = Promise.resolve();
  /** Another one for another conversation: what is under way for one that was given up must not bring it back. */
  let epoch = Promise.withResolvers<void>();
  let failures = 0;
  let again: ReturnType<typeof setTimeout> | undefined;

  const set = (outbox: readonly Outgoing[]) => {
    for (const each of store.state.outbox) {
      if (each.parts && outbox.every(({ id }) => id !== each.id))
        withAttachments(({ forgetFiles }) => forgetFiles(each));
    }
    store.set({ outbox });
    saved.writeOutbox(outbox);
  };
  const change = (id: string, changed: Partial<Outgoing>) =>
    set(store.state.outbox.map((each) => (each.id === id ? { ...each, ...changed } : each)));

  const deliver = (outgoing: Outgoing) => {
    const { id, text, parts, options, shown } = outgoing;
    const before = epoch;
    change(id, { state: { kind: 'sending' } });
    queue = queue.then(async () => {
      if (before !== epoch) return;
      const own = {
        ...connection,
        async fetch(...request: Parameters<typeof fetch>) {
          await page.ready;
          // Whoever has come meanwhile does not speak for who was there before.
          if (before !== epoch) throw new Error('Given up.');
          return page.fetch(...request);
        },
      };
      const send = async (to: Talk, message: string | readonly MessageInputPart[]) => {
        const input = { message, ...options };
        const next = shown === undefined ? input : { ...input, shownIndex: shown };
        const add = (session: Conversation) =>
          session.first !== id && to.send(session, next, { idempotencyKey: id });
        // However long that takes, a request has its own time.
        await page.ready;
        if (store.state.session) return add(store.state.session);
        // Of two tabs one begins the conversation, and the other goes on with it.
        await alone(`${saved.name}:begin`, async () => {
          const there = saved.read();
          if (there) return add(there);
          const started = to.startStream(input, { idempotencyKey: id }).then(({ session, stream }) => {
            if (before === epoch) began({ ...session, first: id }, stream);
            else cancelStream(stream);
          });
          await Promise.race([started, before.promise]);
        });
      };
      const { outbox } = store.state;
      const ahead = outbox.find((each) => each.id === id || isUnheard(each));
      // What was said before it is said first.
      if (ahead && ahead.id !== id) return change(id, { state: ahead.state });
      try {
        if (parts)
          await (
            await loadAttachments()
          ).sendFiles(own, outgoing, send, (fileIds) => change(id, { fileIds }));
        else await send(createTalk(own), text);
        failures = 0;
        if (before === epoch) change(id, { state: { kind: 'accepted' } });
      } catch (error) {
        if (before !== epoch) return;
        const failure = asParleyError(error);
        change(id, { state: { kind: 'failed', error: failure, at: Date.now() } });
        // Nothing may tell that the service is back: before the first message there is no stream.
        clearTimeout(again);
        again = setTimeout(resend, nextPause(failure, failures++));
      }
    });
  };

  /** Sends again what did not get through, but for what the service has said to send later. */
  const resend = () => store.state.outbox.filter((each) => isUnheard(each) && isDue(each)).forEach(deliver);

  return {
    /** Another one for another conversation. */
    get epoch() {
      return epoch;
    },
    set,
    deliver,
    /** Nothing of it is sent or changes anything any more. */
    giveUp() {
      epoch.resolve();
      epoch = Promise.withResolvers();
      queue = Promise.resolve();
      clearTimeout(again);
    },
    add(
      said: Pick<SavedMessage, 'text' | 'parts' | 'after' | 'shown'>,
      files: readonly File[],
      options: TurnOptions,
    ) {
      const message: Outgoing = {
        id: randomKey(),
        ...said,
        at: Date.now(),
        options,
        queued: store.state.transcript.status === 'working' || store.state.outbox.length > 0,
        state: { kind: 'sending' },
      };
      resend();
      set([...store.state.outbox, message]);
      if (message.parts) withAttachments(({ keepFiles }) => keepFiles(message, files));
      deliver(message);
    },
    /** Sends what an earlier page has left; what has become too old for that is its visitor's to send, or not. */
    restore() {
      const now = Date.now();
      const tooOld = { kind: 'failed', error: new ParleyError('PROTOCOL', 'Too old.'), at: 0 } as const;
      store.set({
        outbox: saved.readOutbox().map((each) => ({
          ...each,
          restored: true,
          state: now - each.at < longestWait ? { kind: 'sending' } : tooOld,
        })),
      });
      store.state.outbox.filter(({ state }) => state.kind === 'sending').forEach(deliver);
    },
    resend,
  };
}

const isUnheard = ({ state }: Outgoing) => state.kind === 'failed' && isPassing(state.error);
const isDue = ({ state }: Outgoing) =>
  state.kind === 'failed' && state.at + (state.error.retryAfter ?? 0) * 1_000 <= Date.now();

/** Does it while no other tab does, once. Where there are no locks, or they are not allowed, it is done at once. */
function alone(name: string, work: () => Promise<unknown>): Promise<unknown> {
  const { locks } = navigator as Partial<Navigator>;
  let done: Promise<unknown> | undefined;
  const once = () => (done ??= work());
  return locks ? locks.request(name, once).catch(once) : once();
}
