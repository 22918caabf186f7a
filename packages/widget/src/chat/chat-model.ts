import type { IndexedEvent } from '@parley/client/follow';
import type { Connection } from '@parley/client/connection';
import { ParleyError } from '@parley/client/error';
import { cancelStream, type OpenStream } from '@parley/client/open-stream';
import { createTalk } from '@parley/client/talk';
import type { Transcript } from '@parley/conversation/transcript/transcript';
import type { Turn } from '@parley/conversation/transcript/turn';
import type { Gate } from '../cards/gate.ts';
import type { Answers, Cards } from '../widget-context.ts';
import { withAttachments } from '../attachments/load-attachments.ts';
import { typedText } from '../panel/user-bubble.tsx';
import { type ChatState, nothingRead, type Outgoing } from './chat-state.ts';
import type { Conversation, ConversationStore } from './conversation-store.ts';
import { createDraft, noDraft } from './draft.ts';
import { createNetwork } from './network.ts';
import { createOutbox } from './outbox.ts';
import type { Page } from './page.ts';
import { createStore } from './store.ts';
import type { WidgetConfig } from './widget-config.ts';

export type Chat = ReturnType<typeof createChat>;

/** What is understood before the cards are there; only the name of the agent is passed over, which nothing here shows. */
const plain = /^(session|turn|step|message|reasoning)\./;

/** One visitor's conversation, without a view: what is known of it and what can be done in it. */
export function createChat(
  connection: Connection,
  saved: ConversationStore,
  page: Page,
  { widget, tools }: Pick<WidgetConfig, 'widget' | 'tools'>,
) {
  const talk = createTalk(connection);
  const store = createStore<ChatState>({
    session: null,
    outbox: [],
    link: 'none',
    online: navigator.onLine,
    ...nothingRead,
  });
  const draft = createDraft(saved, () => !isGated());
  const network = createNetwork();
  const outbox = createOutbox(store, saved, connection, page, (session, stream) => {
    saved.write(session);
    follow(session, stream);
  });
  const ending = new AbortController();
  const listen = (type: string, listener: () => void) =>
    addEventListener(type, listener, { signal: ending.signal });

  let answers: Answers | null = null;
  let cards: Cards | null = null;
  /** What has arrived before the code that knows what to make of it. */
  let early: IndexedEvent[] = [];
  const arrive = (events: IndexedEvent[]) => {
    let { transcript, outbox: unsent, ownTurns, leading, answers: given } = store.state;
    early = [...early, ...events];
    let taken = 0;
    for (; early[taken] && (cards || plain.test(early[taken]!.event?.type)); taken++) {
      const { index, event } = early[taken]!;
      if (index < transcript.nextIndex) continue;
      const rest = cards ? cards.reduceRest : (known: Transcript) => known;
      try {
        transcript = { ...answers!.reduceTurns(transcript, event, rest), nextIndex: index + 1 };
      } catch (cause) {
        // Without it the conversation goes on; with it there would be none.
        transcript = { ...transcript, nextIndex: index + 1 };
        page.report(new ParleyError('PROTOCOL', `Event ${index} cannot be shown.`, { cause }));
        continue;
      }
      if (event.type !== 'message.received') continue;
      const { message, turnId } = event.data;
      const sent = unsent.findIndex(({ text, after }) => text === message && index >= after);
      if (sent === -1) continue;
      const { queued, restored } = unsent[sent]!;
      if (!queued && !restored) leading = turnId;
      unsent = unsent.toSpliced(sent, 1);
      ownTurns = new Set(ownTurns).add(turnId);
    }
    early = early.slice(taken);
    if (unsent !== store.state.outbox) outbox.set(unsent);
    if (given.size > 0) {
      const open = new Set(transcript.requests.map(({ requestId }) => requestId));
      given = new Map([...given].filter(([requestId]) => open.has(requestId)));
    }
    store.set({ transcript, ownTurns, leading, answers: given });
  };

  const comeBack = () => {
    network.isBack();
    outbox.resend();
  };
  const connect = (connected: boolean) => {
    const back = connected && store.state.link === 'lost';
    store.set({ link: connected ? 'live' : 'lost', ...(connected && { failure: null }) });
    if (back) comeBack();
  };

  let following = new AbortController();
  let reading: ReturnType<Answers['readSession']> | null = null;
  let sharer: Cards['shareStream'] | null = null;
  const share = () => {
    const { session } = store.state;
    if (sharer && session) reading?.share(`${saved.name}:${session.sessionId}`, sharer);
  };
  /** What the first message was answered with, until it is read. */
  let unread: OpenStream | null = null;
  const read = (session: Conversation, signal: AbortSignal) => {
    const reader = {
      transcript: () => store.state.transcript,
      connected: () => store.state.link === 'live',
      arrive,
      adopt(transcript: Transcript) {
        const { outbox: unsent, ...known } = cards!.adoptTranscript(store.state, transcript);
        outbox.set(unsent);
        store.set(known);
        arrive([]);
      },
      connection: connect,
      end: (failure: ChatState['failure']) => store.set({ link: 'none', ...(failure && { failure }) }),
    };
    if (!answers) return;
    reading = answers.readSession(connection, { ...session, stream: unread }, reader, signal);
    unread = null;
    share();
  };
  const follow = (session: Conversation | null, stream: OpenStream | null = null) => {
    following.abort();
    cancelStream(unread);
    unread = stream;
    following = new AbortController();
    reading = null;
    early = [];
    store.set({ ...nothingRead, session, link: session ? 'connecting' : 'none' });
    if (session) read(session, following.signal);
  };
  const leave = (session: Conversation | null) => {
    const unsent = store.state.outbox.filter(({ state }) => state.kind !== 'accepted');
    outbox.giveUp();
    follow(session);
    takeBack(unsent);
    outbox.set([]);
  };
  /** Puts what nobody has heard into the field: it is its visitor's to send elsewhere, or not at all. */
  const takeBack = (unsent: readonly Outgoing[]) => {
    if (unsent.length === 0) return;
    const { epoch } = outbox;
    draft.set({ text: [...unsent.map(typedText), draft.state.text].filter(Boolean).join('\n') });
    for (const message of unsent.filter(({ parts }) => parts))
      withAttachments(async ({ keptFiles }) => {
        const files = (await keptFiles(message)) ?? [];
        if (epoch === outbox.epoch) draft.set({ files: [...draft.state.files, ...files] });
      });
  };

  listen('pagehide', draft.save);
  listen('online', () => {
    store.set({ online: true });
    comeBack();
  });
  listen('offline', () => store.set({ online: false }));
  /** The visitor has left, or another one has come. */
  const forget = (visitor: string) => {
    outbox.giveUp();
    follow(null);
    // The tab that forgets empties the storage; another one could only write back what it last read there.
    store.set({ outbox: [] });
    draft.set(noDraft);
    if (page.visitor !== visitor) page.send = undefined;
  };
  saved.subscribe((reference) => {
    if (reference?.sessionId !== store.state.session?.sessionId) {
      // The conversation this tab's first message waits for may be the one another tab has begun.
      if (store.state.session) leave(reference);
      else follow(reference);
    }
  }, forget);

  /** Until it is known what of it the visitor has done: all of it. */
  let gate: Partial<Gate> = widget;
  const isGated = () =>
    !store.state.session && store.state.outbox.length === 0 && Boolean(gate.consent || gate.form);

  follow(saved.read());
  outbox.restore();

  const choose = (session: Conversation | null) => {
    saved.write(session);
    leave(session);
  };

  return {
    /** Who the page says the visitor is; empty for nobody. */
    get visitor() {
      return page.visitor;
    },
    /** What time it is for the service. */
    clock: page.clock,
    /** How visitors see tools. A service of an earlier version says nothing of them. */
    tools: tools as WidgetConfig['tools'] | undefined,
    /** Whether it began on this page, or answers what was said on it. */
    isNews: ({ id, startedAt }: Turn) =>
      store.state.ownTurns.has(id) || page.clock.localTime(startedAt) > performance.timeOrigin,
    subscribe: store.subscribe,
    set: store.set,
    get state() {
      return store.state;
    },
    /** Whether something is being answered or on its way. */
    get busy() {
      const { transcript, outbox: unsent } = store.state;
      return transcript.status === 'working' || unsent.some(({ state }) => state.kind !== 'failed');
    },
    /** Whether there is a conversation of which nothing has arrived yet. */
    get restoring() {
      const { session, transcript, outbox: unsent, failure } = store.state;
      return session !== null && transcript.nextIndex === 0 && unsent.length === 0 && !failure;
    },
    saved,
    connection,
    talk,
    network,
    follow,
    /** Another one for another visitor or conversation. */
    get epoch() {
      return outbox.epoch;
    },
    get gate() {
      return gate;
    },
    /** Whether something comes before the first message. */
    get gated() {
      return isGated();
    },
    draft,

    /** False when the page does not let it go. `context`: what the page had said when it was written. */
    send(typed: string, files: readonly File[] = [], context = page.context): boolean {
      if (isGated()) {
        const { epoch } = outbox;
        const unsubscribe = store.subscribe(() => {
          if (isGated()) return;
          unsubscribe();
          // Not before what was held earlier.
          if (epoch === outbox.epoch) queueMicrotask(() => this.send(typed, files, context));
        });
        return true;
      }
      const text = typed.toWellFormed();
      // Files without what names them yet wait in the field.
      const message = files.length === 0 ? { text } : cards?.nameParts(text, files);
      if (!message || !page.maySend(message.text)) return false;
      const shown = store.state.transcript.nextIndex;
      outbox.add(
        { ...message, after: shown + early.length, shown },
        files,
        page.turnOptions(store.state.session ? null : gate.visitor, context),
      );
      return true;
    },

    retry(id: string) {
      outbox.resend();
      const message = store.state.outbox.find((each) => each.id === id);
      if (message?.state.kind === 'failed') outbox.deliver(message);
    },

    discard(id: string) {
      outbox.set(store.state.outbox.filter((each) => each.id !== id));
    },

    /** What came beside the panel: the conversation can be read. */
    begin(loaded: Answers) {
      answers = loaded;
      const { session } = store.state;
      if (session) read(session, following.signal);
    },

    /** What came after the panel: what has waited for it is understood, and one tab reads for all. */
    async complete(loaded: Cards) {
      cards = loaded;
      gate = loaded.createGate(widget, saved);
      arrive([]);
      // What another tab has read may be another visitor's.
      await page.ready;
      sharer = loaded.shareStream;
      share();
    },

    /** What has arrived up to now, also on a page that is not drawn. */
    latest(): Transcript {
      reading?.flush();
      return store.state.transcript;
    },

    /**
     * Leaves this conversation, in every tab; the next message begins another. Nothing of it stays in the browser but what
     * the visitor has written and not sent.
     */
    startNew() {
      choose(null);
      saved.set('seen', '');
      // Who is known can come back to what they have rated.
      if (!page.visitor) saved.set('ratings', '');
    },

    /** Goes on with another conversation of the visitor's, in every tab. */
    choose,

    /** Leaves nothing of this visitor in any tab. `visitor` is who is known from now on, if anybody. */
    forget(visitor: string) {
      saved.forget(visitor);
      forget(visitor);
    },

    destroy() {
      outbox.giveUp();
      draft.save();
      ending.abort();
      // What still waits, for a token or for the network, finds nothing to go on with.
      follow(null);
    },
  };
}
