import type { SessionReference } from '@parley/client/session-input';
import type { ConversationCore } from '../conversation-core.ts';
import type { Reply } from '../conversation-state.ts';
import { attach, edit, resend } from '../outbox/attach.ts';
import { failAtEnd } from '../outbox/fail-at-end.ts';
import { fileAddress } from '../outbox/file-address.ts';
import { leave } from '../outbox/leave.ts';
import { readPreChat } from '../outbox/pre-chat.ts';
import type { Session } from '../storage/conversation-storage.ts';
import type { Turn } from '../transcript/turn.ts';
import { keepLast, type LastConversation, readLast } from '../storage/last-conversation.ts';
import { type FormEntries, readEntries, writeEntries } from './form-entries.ts';
import { rate, type Rating, ratingOf } from './ratings.ts';
import { forgetSettled, respond, withdrawReply } from './respond.ts';
import { stopTurn } from './stop-turn.ts';

export type Actions = ReturnType<typeof createActions>;

/** What a visitor can do in a conversation besides sending. */
export function createActions(core: ConversationCore) {
  const { state, storage, identity, outbox } = core;
  forgetSettled(core);
  failAtEnd(core);
  /** Looks again at what comes before the first message: another tab may have answered it. */
  const lookAtPreChat = () => {
    const { value: setup } = state.setup;
    if (setup.kind === 'ready')
      state.preChat.value = readPreChat(setup.config.widget, storage, state.language.value);
  };
  const open = (session: Session | null): void => {
    storage.write(session);
    leave(core, session);
  };
  return {
    lookAtPreChat,
    leave: (session: Session | null) => leave(core, session),
    /** Goes on with another conversation of the visitor's, in every tab. */
    open({ sessionId, continuationToken }: SessionReference): void {
      storage.set('last', '');
      open({ sessionId, continuationToken });
    },
    /** Goes on with one from another browser. In this one stays the way back to its own. */
    receive(session: SessionReference): void {
      keepLast(core);
      open(session);
    },
    /** The conversation that was left for a new one, until it or another is gone on with. */
    lastConversation: (): LastConversation | null => readLast(storage),
    /**
     * Leaves this conversation, in every tab; the next message begins another. In the browser stay what the visitor has
     * written and not sent, and the way back to it.
     */
    startNew(): void {
      keepLast(core);
      open(null);
      storage.set('seen', '');
      // Who is known can come back to what they have rated.
      if (!identity.visitor.value) storage.set('ratings', '');
    },
    /** Notes what a visitor has agreed to and filled in. */
    passPreChat(values: Record<string, unknown>): void {
      const { consent, form } = state.preChat.value;
      if (consent) storage.set('consent', consent.text);
      if (form) {
        storage.set('form', JSON.stringify(values));
        storage.set('form-language', state.language.value);
      }
      lookAtPreChat();
    },
    /** Stops the turn that runs. */
    stop: () => void stopTurn(core),
    /** Replies to an approval or a question. */
    respond: (requestId: string, reply: Reply) => void respond(core, requestId, reply),
    /** Keeps a reply that did not get through from being sent by itself. */
    withdrawReply: (requestId: string) => withdrawReply(state, requestId),
    /** Sends a message again that was not sent. */
    retry(id: string): void {
      outbox.resend();
      const message = state.outbox.value.find((each) => each.id === id);
      if (message?.state.kind === 'failed') outbox.deliver(message);
    },
    /** Sends a message of the conversation once more. */
    resend: (user: NonNullable<Turn['user']>) => void resend(core, user),
    /** Makes a message that was not sent the one that is being written. */
    edit: (id: string) => void edit(core, id),
    /** Adds files to the draft, or says there why not. */
    attach: (files: readonly File[]) => void attach(core, files),
    /** The files of a message that was not sent, while they are kept. */
    filesOf: (message: { id: string; at: number }) => core.files.read(message),
    /** Where a file is that the service of this conversation has; undefined for one that is elsewhere. */
    fileAddress: (url: string | undefined) => fileAddress(core.connection.baseUrl, url),
    /** What stood in a form when it was last touched here and not sent. */
    formEntries: (form: string): FormEntries => readEntries(core, form),
    keepFormEntries: (form: string, entries: FormEntries) => writeEntries(core, form, entries),
    /** How the visitor has rated a turn, as far as this browser knows. */
    ratingOf: (turnId: string): Rating => ratingOf(core, turnId),
    /** Tells whether a turn was of help; null takes it back. Rejects when the service was not told. */
    rate: (turnId: string, rating: Rating, comment?: string) => rate(core, turnId, rating, comment),
    /** Whether the visitor wants to hear of what is new. */
    setNotify(wanted: boolean): void {
      storage.set('notify', wanted ? '1' : '');
      state.notify.value = wanted;
    },
  };
}
