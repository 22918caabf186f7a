import { type Connection, randomKey } from '@parley/client/connection';
import { ParleyError } from '@parley/client/error';
import type { ActionResult } from '@parley/protocol/client-tool';
import { identifySession } from '@parley/client/identify-session';
import {
  createSessions,
  type MessageInputPart,
  type SessionReference,
  type Sessions,
} from '@parley/client/session';
import { withSignIn } from '@parley/client/sign-in';
import {
  emptyTranscript,
  type IndexedEvent,
  reduceTranscript,
  type Transcript,
} from '@parley/client/transcript';
import type { MessagePart } from '@parley/protocol/event';
import { type Attachments, loadAttachments } from '../attachments/load-attachments.ts';
import type { Words } from '../labels/labels.ts';
import type { ConversationStore, SavedMessage } from './conversation-store.ts';
import type { Page } from './page.ts';
import { createFrameBatch } from './frame-batch.ts';
import type { shareStream, SharingTab } from '../cards/share-stream.ts';
import { createGate } from './gate.ts';
import { createStore } from './store.ts';
import type { WidgetConfig } from './widget-config.ts';

/** A message of this visitor that the log does not show yet. */
export type Outgoing = SavedMessage & {
  state: { kind: 'sending' } | { kind: 'accepted' } | { kind: 'failed'; error: ParleyError; at: number };
};

/** The message that is being written. */
export type Draft = {
  text: string;
  files: readonly File[];
  /** How often files are being added just now. */
  adding: number;
  /** Why files were not added. */
  problem: ((words: Words) => string) | null;
};

export type Answer = { optionId?: string; text?: string };
export type AnswerState = { kind: 'sending' } | { kind: 'failed'; error: ParleyError };

export type ChatState = {
  session: SessionReference | null;
  transcript: Transcript;
  outbox: readonly Outgoing[];
  answers: ReadonlyMap<string, AnswerState>;
  link: 'none' | 'connecting' | 'live' | 'lost';
  /** The stream has been lost for longer than a blink. */
  reconnecting: boolean;
  online: boolean;
  /** Why this conversation cannot be read. */
  failure: ParleyError | null;
  stopping: boolean;
  /** The turns that answer messages of this page; the others were there before or come from elsewhere. */
  ownTurns: ReadonlySet<string>;
  /** The visitor looks at the list of their conversations. */
  listing: boolean;
};

type Out = Pick<SharingTab, 'deliver' | 'connection'>;

export type Chat = ReturnType<typeof createChat>;

const longAfter = 1_000;
/** After which a network that may not have been away at all is tried again. */
const longPause = 15_000;

const nothingRead = {
  transcript: emptyTranscript,
  failure: null,
  ownTurns: new Set<string>(),
  answers: new Map<string, AnswerState>(),
  stopping: false,
  listing: false,
};

export const noDraft = { text: '', files: [], problem: null };

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
    reconnecting: false,
    online: navigator.onLine,
    ...nothingRead,
  });
  const draft = createStore<Draft>({ text: saved.get('draft'), files: [], adding: 0, problem: null });
  const ending = new AbortController();
  const listen = (type: string, listener: () => void) =>
    addEventListener(type, listener, { signal: ending.signal });

  const withFiles = (act: (attachments: Attachments) => Promise<void>) =>
    void loadAttachments()
      .then(act)
      .catch(() => {});

  const setOutbox = (outbox: readonly Outgoing[]) => {
    for (const each of store.state.outbox) {
      if (each.parts && outbox.every(({ id }) => id !== each.id))
        withFiles(({ forgetFiles }) => forgetFiles(each));
    }
    store.set({ outbox });
    saved.writeOutbox(outbox);
  };

  const arrive = (events: IndexedEvent[]) => {
    let { transcript, outbox, ownTurns, answers, stopping } = store.state;
    for (const each of events) {
      const next = reduceTranscript(transcript, each);
      if (next !== transcript) transcript = withSignIn(next, each.event);
      if (each.event.type !== 'message.received') continue;
      const { message, turnId } = each.event.data;
      const sent = outbox.findIndex(({ text, after }) => text === message && each.index >= after);
      if (sent === -1) continue;
      outbox = outbox.toSpliced(sent, 1);
      ownTurns = new Set(ownTurns).add(turnId);
    }
    if (outbox !== store.state.outbox) setOutbox(outbox);
    if (answers.size > 0) {
      const open = new Set(transcript.requests.map(({ requestId }) => requestId));
      answers = new Map([...answers].filter(([requestId]) => open.has(requestId)));
    }
    if (transcript.status !== 'working') stopping = false;
    store.set({ transcript, ownTurns, answers, stopping });
  };

  let returned = Promise.withResolvers<void>();
  /** Does it again when the network is back, if that is what was missing. */
  const whenBack = ({ code }: ParleyError, again: () => void) => {
    if (code === 'NETWORK') void returned.promise.then(again);
  };
  /** Does it as soon as the network lets it, unless the conversation is left before. Whether it was done. */
  const insist = async (attempt: (session: SessionReference) => Promise<unknown>): Promise<boolean> => {
    const { session } = store.state;
    while (session && session === store.state.session) {
      try {
        await attempt(session);
        return true;
      } catch (error) {
        if (asParleyError(error).code !== 'NETWORK') throw error;
        await Promise.race([returned.promise, new Promise((later) => setTimeout(later, longPause))]);
      }
    }
    return false;
  };
  const comeBack = () => {
    returned.resolve();
    returned = Promise.withResolvers();
    resend();
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
  let sharer: typeof shareStream | null = null;
  let share: (withOthers: typeof shareStream) => void = () => {};
  /** Shows what has arrived without waiting for the next frame. */
  let flush = () => {};
  const follow = (session: SessionReference | null) => {
    following.abort();
    const { signal } = (following = new AbortController());
    share = flush = () => {};
    store.set({ ...nothingRead, session, link: session ? 'connecting' : 'none', reconnecting: false });
    if (!session) return;
    let nextIndex = 0;
    const incoming = createFrameBatch(arrive);
    signal.addEventListener('abort', () => incoming.drop());
    ({ flush } = incoming);
    const tab = {
      nextIndex: () => nextIndex,
      transcript() {
        incoming.flush();
        return store.state.transcript;
      },
      adopt(transcript: Transcript) {
        if (transcript.nextIndex <= nextIndex) return;
        incoming.drop();
        nextIndex = transcript.nextIndex;
        // What was said while this tab was not told.
        const said = new Set(transcript.turns.slice(-10).map(({ user }) => user?.text));
        setOutbox(store.state.outbox.filter(({ text, state }) => state.kind === 'failed' || !said.has(text)));
        store.set({ transcript });
        arrive([]);
      },
      deliver(each: IndexedEvent) {
        if (each.index < nextIndex) return;
        nextIndex = each.index + 1;
        incoming.add(each);
      },
      connected: () => store.state.link === 'live',
      connection: connect,
    };
    let reading: { out: Out; stop: AbortController; done: Promise<void> } | null = null;
    const begin = async (mine: { out: Out; stop: AbortController }) => {
      const { signal: stopped } = mine.stop;
      try {
        const events = sessions.follow(session.sessionId, {
          startIndex: nextIndex,
          signal: stopped,
          onConnection: (connected) => {
            if (!stopped.aborted) mine.out.connection(connected);
          },
        });
        for await (const each of events) mine.out.deliver(each);
      } catch (error) {
        if (!stopped.aborted) store.set({ failure: asParleyError(error) });
      }
      if (!stopped.aborted) store.set({ link: 'none' });
    };
    const sharing: SharingTab = {
      ...tab,
      rest() {
        reading?.stop.abort();
        reading = null;
      },
      read(wanted, out) {
        if (store.state.transcript.status === 'ended') return Promise.resolve();
        if (reading) reading.out = out;
        else {
          const mine = { out, stop: new AbortController() };
          reading = Object.assign(mine, { done: begin(mine) });
        }
        const { stop, done } = reading;
        wanted.addEventListener('abort', () => {
          stop.abort();
          if (reading?.stop === stop) reading = null;
        });
        return done;
      },
    };
    void sharing.read(signal, tab);
    share = (withOthers) => withOthers(`${saved.name}:${session.sessionId}`, sharing, signal);
    if (sharer) share(sharer);
  };

  /** Messages leave one after the other: the first may have to make the session the next ones belong to. */
  let queue = Promise.resolve();
  /** Counts the conversations given up: what was under way then must not bring one back. */
  let given = 0;

  const setState = (id: string, state: Outgoing['state']) =>
    setOutbox(store.state.outbox.map((each) => (each.id === id ? { ...each, state } : each)));

  const deliver = (outgoing: Outgoing) => {
    const { id, text, parts, options } = outgoing;
    const before = given;
    setState(id, { kind: 'sending' });
    queue = queue.then(async () => {
      if (before !== given) return;
      const send = async (to: Sessions, message: string | readonly MessageInputPart[]) => {
        const { session } = store.state;
        const input = { message, ...options };
        if (session) return to.send(session, input, { idempotencyKey: id });
        const started = await to.start(input, { idempotencyKey: id });
        if (before !== given) return;
        saved.write(started);
        follow(started);
      };
      try {
        if (parts) await (await loadAttachments()).sendFiles(connection, outgoing, send);
        else await send(sessions, text);
        if (before === given) setState(id, { kind: 'accepted' });
      } catch (error) {
        if (before === given) setState(id, { kind: 'failed', error: asParleyError(error), at: Date.now() });
      }
    });
  };

  const resend = () => {
    for (const each of store.state.outbox) {
      if (each.state.kind === 'failed' && each.state.error.code === 'NETWORK') deliver(each);
    }
  };

  const leave = (session: SessionReference | null) => {
    given++;
    follow(session);
    setOutbox([]);
  };

  let typing: ReturnType<typeof setTimeout> | undefined;
  const saveDraft = () => {
    clearTimeout(typing);
    saved.set('draft', draft.state.text);
  };
  draft.subscribe(() => {
    clearTimeout(typing);
    typing = setTimeout(saveDraft, 300);
  });
  listen('pagehide', saveDraft);
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
  store.set({ outbox: saved.readOutbox().map((each) => ({ ...each, state: { kind: 'sending' } })) });
  for (const each of store.state.outbox) deliver(each);

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
      const { transcript, outbox } = store.state;
      return transcript.status === 'working' || outbox.some(({ state }) => state.kind !== 'failed');
    },
    /** Whether there is a conversation of which nothing has arrived yet. */
    get restoring() {
      const { session, transcript, outbox, failure } = store.state;
      return session !== null && transcript.nextIndex === 0 && outbox.length === 0 && !failure;
    },
    saved,
    connection,
    gate,
    /** Whether something comes before the first message. */
    get gated() {
      return isGated();
    },
    /** What the visitor has typed, which is kept over reloads, and the files to go with it. */
    draft,

    /** False when the page does not let it go. */
    send(typed: string, files: readonly File[] = []): boolean {
      if (isGated()) {
        const before = given;
        const unsubscribe = store.subscribe(() => {
          if (isGated()) return;
          unsubscribe();
          // Not before what was held earlier.
          if (before === given) queueMicrotask(() => this.send(typed, files));
        });
        return true;
      }
      const { text, parts } = asMessage(typed, files);
      if (!page.maySend(text)) return false;
      const message: Outgoing = {
        id: randomKey(),
        text,
        ...(parts && { parts }),
        at: Date.now(),
        after: store.state.transcript.nextIndex,
        options: page.turnOptions(store.state.session ? null : gate.visitor),
        state: { kind: 'sending' },
      };
      setOutbox([...store.state.outbox, message]);
      if (parts) withFiles(({ keepFiles }) => keepFiles(message, files));
      deliver(message);
      return true;
    },

    retry(id: string) {
      const message = store.state.outbox.find((each) => each.id === id);
      if (message) deliver(message);
    },

    discard(id: string) {
      setOutbox(store.state.outbox.filter((each) => each.id !== id));
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
        whenBack(failed.error, () => {
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
      // What nobody was refused is theirs.
      if (known && store.state.failure) follow(store.state.session);
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
        whenBack(asParleyError(error), () => {
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
      share(withOthers);
    },

    /** What has arrived up to now, also on a page that is not drawn. */
    latest(): Transcript {
      flush();
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
      given++;
      saveDraft();
      ending.abort();
      following.abort();
    },
  };
}

const fingerprint = (text: string) =>
  Array.from(text, (each) => each.codePointAt(0)!).reduce((sum, code) => (Math.imul(sum, 31) + code) | 0, 0);

/** The text is what the log will show: it names the files. */
function asMessage(typed: string, files: readonly File[]): { text: string; parts?: readonly MessagePart[] } {
  if (files.length === 0) return { text: typed };
  const parts: MessagePart[] = files.map(({ name, type, size }) => ({
    type: 'file',
    mediaType: type,
    ...(name && { filename: name }),
    size,
  }));
  const names = files.map(({ name, type }) => `[file: ${name || type} (${type})]`);
  if (!typed) return { text: names.join('\n'), parts };
  return { text: [typed, ...names].join('\n'), parts: [{ type: 'text', text: typed }, ...parts] };
}

function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ParleyError('PROTOCOL', String(error), { cause: error });
}
