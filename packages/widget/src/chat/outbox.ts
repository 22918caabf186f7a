import { type Connection, randomKey } from '@parley/client/connection';
import {
  createSessions,
  type MessageInputPart,
  type SessionReference,
  type Sessions,
  type TurnOptions,
} from '@parley/client/session';
import { loadAttachments, withAttachments } from '../attachments/load-attachments.ts';
import type { ChatState, Outgoing } from './chat-state.ts';
import type { ConversationStore } from './conversation-store.ts';
import { nameParts } from './name-parts.ts';
import { asParleyError } from './network.ts';
import type { Page } from './page.ts';
import type { Store } from './store.ts';

/** The messages that the log does not show yet. They leave one after the other, each once, and outlive a reload. */
export function createOutbox(
  store: Store<ChatState>,
  saved: ConversationStore,
  connection: Connection,
  page: Page,
  began: (session: SessionReference) => void,
) {
  /** The first message may have to make the session that the next ones belong to. */
  let queue = Promise.resolve();
  /** Counts the conversations given up: what was under way then must not bring one back. */
  let given = 0;

  const set = (outbox: readonly Outgoing[]) => {
    for (const each of store.state.outbox) {
      if (each.parts && outbox.every(({ id }) => id !== each.id))
        withAttachments(({ forgetFiles }) => forgetFiles(each));
    }
    store.set({ outbox });
    saved.writeOutbox(outbox);
  };
  const setState = (id: string, state: Outgoing['state']) =>
    set(store.state.outbox.map((each) => (each.id === id ? { ...each, state } : each)));

  const deliver = (outgoing: Outgoing) => {
    const { id, text, parts, options } = outgoing;
    const before = given;
    setState(id, { kind: 'sending' });
    queue = queue.then(async () => {
      if (before !== given) return;
      const own = {
        ...connection,
        async fetch(...request: Parameters<typeof fetch>) {
          await page.ready;
          // Whoever has come meanwhile does not speak for who was there before.
          if (before !== given) throw new Error('Given up.');
          return page.fetch(...request);
        },
      };
      const send = async (to: Sessions, message: string | readonly MessageInputPart[]) => {
        const { session } = store.state;
        const input = { message, ...options };
        if (session) return to.send(session, input, { idempotencyKey: id });
        const started = await to.start(input, { idempotencyKey: id });
        if (before === given) began(started);
      };
      try {
        if (parts) await (await loadAttachments()).sendFiles(own, outgoing, send);
        else await send(createSessions(own), text);
        if (before === given) setState(id, { kind: 'accepted' });
      } catch (error) {
        if (before === given) setState(id, { kind: 'failed', error: asParleyError(error), at: Date.now() });
      }
    });
  };

  return {
    /** Another number for another conversation. */
    get epoch() {
      return given;
    },
    set,
    deliver,
    /** Nothing of it is sent or changes anything any more. */
    giveUp() {
      given++;
    },
    add(typed: string, files: readonly File[], options: TurnOptions) {
      const message: Outgoing = {
        id: randomKey(),
        ...nameParts(typed, files),
        at: Date.now(),
        after: store.state.transcript.nextIndex,
        options,
        state: { kind: 'sending' },
      };
      set([...store.state.outbox, message]);
      if (message.parts) withAttachments(({ keepFiles }) => keepFiles(message, files));
      deliver(message);
    },
    /** Sends what an earlier page has left. */
    restore() {
      store.set({ outbox: saved.readOutbox().map((each) => ({ ...each, state: { kind: 'sending' } })) });
      store.state.outbox.forEach(deliver);
    },
    /** Sends again what did not get through. */
    resend() {
      for (const each of store.state.outbox) {
        if (each.state.kind === 'failed' && each.state.error.code === 'NETWORK') deliver(each);
      }
    },
  };
}
