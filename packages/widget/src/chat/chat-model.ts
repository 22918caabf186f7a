import type { Connection } from '@parley/client/connection';
import { identifySession } from '@parley/client/identify-session';
import { createSessions, type SessionReference } from '@parley/client/session';
import { withSignIn } from '@parley/client/sign-in';
import { type IndexedEvent, reduceTranscript, type Transcript } from '@parley/client/transcript';
import type { ActionResult } from '@parley/protocol/client-tool';
import type { shareStream } from '../cards/share-stream.ts';
import { type Answer, type AnswerState, type ChatState, nothingRead } from './chat-state.ts';
import type { ConversationStore } from './conversation-store.ts';
import { createDraft, noDraft } from './draft.ts';
import { createGate } from './gate.ts';
import { nameParts } from './name-parts.ts';
import { asParleyError, createNetwork } from './network.ts';
import { createOutbox } from './outbox.ts';
import type { Page } from './page.ts';
import { readSession } from './read-session.ts';
import { createStore } from './store.ts';
import type { WidgetConfig } from './widget-config.ts';

export type Chat = ReturnType<typeof createChat>;

const longAfter = 1_000;

/** One visitor's conversation, without a view: what is known of it and what can be done in it. */
export function createChat(
  connection: Connection,
  saved: ConversationStore,
  page: Page,
  widget: WidgetConfig['widget'],
) {
  const sessions = createSessions(connection);
  const store = createStore<ChatState>({
    session: null,
    outbox: [],
    link: 'none',
    online: navigator.onLine,
    ...nothingRead,
  });
  const draft = createDraft(saved);
  const network = createNetwork();
  const outbox = createOutbox(store, saved, connection, page, (session) => {
    saved.write(session);
    follow(session);
  });
  const ending = new AbortController();
  const listen = (type: string, listener: () => void) =>
    addEventListener(type, listener, { signal: ending.signal });

  const arrive = (events: IndexedEvent[]) => {
    let { transcript, outbox: unsent, ownTurns, answers, stopping } = store.state;
    for (const each of events) {
      const next = reduceTranscript(transcript, each);
      if (next !== transcript) transcript = withSignIn(next, each.event);
      if (each.event.type !== 'message.received') continue;
      const { message, turnId } = each.event.data;
      const sent = unsent.findIndex(({ text, after }) => text === message && each.index >= after);
      if (sent === -1) continue;
      unsent = unsent.toSpliced(sent, 1);
      ownTurns = new Set(ownTurns).add(turnId);
    }
    if (unsent !== store.state.outbox) outbox.set(unsent);
    if (answers.size > 0) {
      const open = new Set(transcript.requests.map(({ requestId }) => requestId));
      answers = new Map([...answers].filter(([requestId]) => open.has(requestId)));
    }
    if (transcript.status !== 'working') stopping = false;
    store.set({ transcript, ownTurns, answers, stopping });
  };

  const comeBack = () => {
    network.isBack();
    outbox.resend();
  };
  const connect = (connected: boolean) => {
    const back = connected && store.state.link === 'lost';
    store.set({ link: connected ? 'live' : 'lost', ...(connected && { reconnecting: false }) });
    if (!connected)
      setTimeout(() => {
        if (store.state.link === 'lost') store.set({ reconnecting: true });
      }, longAfter);
    if (back) comeBack();
  };

  let following = new AbortController();
  let reading: ReturnType<typeof readSession> | null = null;
  let sharer: typeof shareStream | null = null;
  const share = () => {
    const { session } = store.state;
    if (sharer && session) reading?.share(`${saved.name}:${session.sessionId}`, sharer);
  };
  const follow = (session: SessionReference | null) => {
    following.abort();
    const { signal } = (following = new AbortController());
    store.set({ ...nothingRead, session, link: session ? 'connecting' : 'none' });
    const reader = {
      transcript: () => store.state.transcript,
      connected: () => store.state.link === 'live',
      arrive,
      adopt(transcript: Transcript) {
        // What was said while this tab was not told; the same words may have been said before.
        const known = new Set(store.state.transcript.turns.map(({ user, id }) => user && id));
        const missed = transcript.turns.slice(-10).filter(({ id }) => !known.has(id));
        const said = new Map(missed.map(({ user, id }) => [user?.text, id]));
        const unsent = store.state.outbox;
        const heard = unsent.filter(
          ({ text, state, after }) =>
            state.kind !== 'failed' && after < transcript.nextIndex && said.has(text),
        );
        outbox.set(unsent.filter((each) => !heard.includes(each)));
        const own = heard.map(({ text }) => said.get(text)!);
        store.set({ transcript, ownTurns: new Set([...store.state.ownTurns, ...own]) });
        arrive([]);
      },
      connection: connect,
      end: (failure: ChatState['failure']) => store.set({ link: 'none', ...(failure && { failure }) }),
    };
    reading = session && readSession(sessions, session.sessionId, reader, signal);
    share();
  };
  /** Does it as soon as the network lets it, unless the conversation is left before. */
  const insist = async (attempt: (session: SessionReference) => Promise<unknown>) => {
    const { session } = store.state;
    return (
      session !== null &&
      network.insist(
        () => attempt(session),
        () => session === store.state.session,
      )
    );
  };

  const leave = (session: SessionReference | null) => {
    outbox.giveUp();
    follow(session);
    outbox.set([]);
  };

  listen('pagehide', draft.save);
  listen('online', () => {
    store.set({ online: true });
    comeBack();
  });
  listen('offline', () => store.set({ online: false }));
  /** The visitor has left, or another one has come. */
  const forget = (visitor: string) => {
    leave(null);
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

  const gate = createGate(widget, saved);
  const isGated = () =>
    !store.state.session && store.state.outbox.length === 0 && Boolean(gate.consent || gate.form);

  follow(saved.read());
  outbox.restore();

  const choose = (session: SessionReference | null) => {
    saved.write(session);
    leave(session);
  };

  return {
    /** Who the page says the visitor is; empty for nobody. */
    get visitor() {
      return page.visitor;
    },
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
    /** Another one for another visitor or conversation. */
    get epoch() {
      return outbox.epoch;
    },
    gate,
    /** Whether something comes before the first message. */
    get gated() {
      return isGated();
    },
    draft,

    /** False when the page does not let it go. */
    send(typed: string, files: readonly File[] = []): boolean {
      if (isGated()) {
        const { epoch } = outbox;
        const unsubscribe = store.subscribe(() => {
          if (isGated()) return;
          unsubscribe();
          // Not before what was held earlier.
          if (epoch === outbox.epoch) queueMicrotask(() => this.send(typed, files));
        });
        return true;
      }
      if (!page.maySend(nameParts(typed, files).text)) return false;
      outbox.add(typed, files, page.turnOptions(store.state.session ? null : gate.visitor));
      return true;
    },

    retry(id: string) {
      const message = store.state.outbox.find((each) => each.id === id);
      if (message) outbox.deliver(message);
    },

    discard(id: string) {
      outbox.set(store.state.outbox.filter((each) => each.id !== id));
    },

    async respond(requestId: string, answer: Answer) {
      const { session } = store.state;
      if (!session) return;
      const set = (state: AnswerState) =>
        store.set({ answers: new Map(store.state.answers).set(requestId, state) });
      set({ kind: 'sending' });
      // The same answer twice, also from two tabs, is one.
      const options = { idempotencyKey: `answer:${requestId}:${fingerprint(JSON.stringify(answer))}` };
      try {
        await sessions.respond(session, { inputResponses: [{ requestId, ...answer }] }, options);
      } catch (error) {
        const failed = { kind: 'failed', error: asParleyError(error) } as const;
        if (session !== store.state.session) return;
        set(failed);
        network.whenBack(failed.error, () => {
          if (store.state.answers.get(requestId) === failed) void this.respond(requestId, answer);
        });
      }
    },

    /** What the page's own tool came to. False if nobody wants it (any more). */
    giveResult(result: ActionResult): Promise<boolean> {
      const options = { idempotencyKey: `result:${result.callId}` };
      return insist((session) => sessions.respond(session, { actionResults: [result] }, options)).catch(
        () => false,
      );
    },

    /** Makes a conversation that was nobody's that of the visitor who is known now. */
    async identify() {
      const known = await insist((session) => identifySession(connection, session));
      const { failure, link, session } = store.state;
      // What nobody was refused, or is about to be, is theirs.
      if (known && (failure || link === 'connecting')) follow(session);
    },

    async stop() {
      const { session, transcript } = store.state;
      const turn = transcript.turns.at(-1);
      if (!session || !turn) return;
      store.set({ stopping: true });
      try {
        await sessions.cancel(session.sessionId, { turnId: turn.id });
      } catch (error) {
        // The button is there again: the turn goes on, and so can the visitor.
        store.set({ stopping: false });
        network.whenBack(asParleyError(error), () => {
          const { status, turns } = store.state.transcript;
          if (status === 'working' && turns.at(-1)?.id === turn.id) void this.stop();
        });
      }
    },

    /** From now on one tab reads for all: the way to do so comes after the panel. */
    async shareWith(withOthers: typeof shareStream) {
      // What another tab has read may be another visitor's.
      await page.ready;
      sharer = withOthers;
      share();
    },

    /** What has arrived up to now, also on a page that is not drawn. */
    latest(): Transcript {
      reading?.flush();
      return store.state.transcript;
    },

    /** Leaves this conversation, in every tab; the next message begins another. Nothing of it stays in the browser. */
    startNew() {
      choose(null);
      draft.set(noDraft);
      saved.set('draft', '');
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
      following.abort();
    },
  };
}

const fingerprint = (text: string) =>
  Array.from(text, (each) => each.codePointAt(0)!).reduce((sum, code) => (Math.imul(sum, 31) + code) | 0, 0);
