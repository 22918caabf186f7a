import type { Connection } from '@parley/client/connection';
import type { ParleyError } from '@parley/client/error';
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { configure } from './configure.ts';
import type { ConversationCore } from './conversation-core.ts';
import { assign, createConversationState, readonly } from './conversation-state.ts';
import { systemClock } from '@parley/client/clock';
import type { Environment } from './environment.ts';
import { inLanguage } from './in-language.ts';
import { createIdentity } from './identity/identity.ts';
import type { VisitorToken } from './identity/visitor-token.ts';
import { loadParts } from './load-parts.ts';
import { createSend, createHeld } from './outbox/create-send.ts';
import { createDraft, type Draft, type DraftState, noDraft } from './outbox/draft.ts';
import { createMemoryFiles } from './outbox/file-storage.ts';
import { createOutbox } from './outbox/outbox.ts';
import type { ClientTool } from './page-tools/client-tool.ts';
import { createPageContext } from './page-tools/page-context.ts';
import { createServiceClock } from './service-clock.ts';
import { createConversationStorage } from './storage/conversation-storage.ts';
import type { LastConversation } from './storage/last-conversation.ts';
import type { ConversationEvent } from './transcript/conversation-event.ts';
import type { Transcript } from './transcript/transcript.ts';
import { createTranscriptReader } from './transcript/transcript-reader.ts';
import type { Turn } from './transcript/turn.ts';

export { inLanguage } from './in-language.ts';
export { keepLoading } from './keep-loading.ts';
export { typedText } from './outbox/typed-text.ts';
export { longestWait } from './storage/conversation-storage.ts';
export type { Reply, ReplyState, Setup } from './conversation-state.ts';
export type { Clock } from '@parley/client/clock';
export type { Channel, Environment } from './environment.ts';
export type { VisitorToken } from './identity/visitor-token.ts';
export type { WidgetConfig } from './load-config.ts';
export type { DraftProblem } from './outbox/draft-problem.ts';
export type { DraftState } from './outbox/draft.ts';
export type { FileKey, FileStorage } from './outbox/file-storage.ts';
export type { FilesLost, FilesRefused } from './outbox/files-error.ts';
export type { OutboxMessage } from './outbox/outbox-message.ts';
export type { PreChat } from './outbox/pre-chat.ts';
export type { ClientTool } from './page-tools/client-tool.ts';
export type { FormEntries } from './replies/form-entries.ts';
export type { Rating } from './replies/ratings.ts';
export type { LastConversation } from './storage/last-conversation.ts';
export type { ConversationEvent, ConversationEvents } from './transcript/conversation-event.ts';
export type { PendingRequest, Transcript, TranscriptMark } from './transcript/transcript.ts';
export type {
  InputAnswer,
  QuestionPart,
  ReasoningPart,
  ResultPart,
  SignInPart,
  TeamQuestionPart,
  TextPart,
  ToolPart,
  ToolState,
  Turn,
  TurnPart,
} from './transcript/turn.ts';

export type ConversationOptions = {
  /** The service's address, without a slash at the end. */
  baseUrl: string;
  /** The publishable key. */
  key: string;
  environment?: Environment;
  /** When the view can show more than texts. Until then nothing is read that it would have to put before some of them. */
  showsAll?: Promise<unknown>;
  /** Whether a message may leave. */
  beforeSend?: (text: string) => boolean;
  onEvent?: (event: ConversationEvent) => void;
  onError?: (error: ParleyError) => void;
};

export type Conversation = ReturnType<typeof createConversation>;

/** One visitor's conversation with an agent, without a view: what is known of it and what can be done in it. */
export function createConversation({
  baseUrl,
  key,
  environment = {},
  showsAll,
  beforeSend = () => true,
  onEvent = () => {},
  onError = () => {},
}: ConversationOptions) {
  const { clock = systemClock, events, locks, files = createMemoryFiles() } = environment;
  const startedAt = environment.startedAt ?? clock.now();
  const ending = new AbortController();
  const { signal } = ending;
  /** What all tabs of this visitor agree on. */
  const name = `parley:${baseUrl}:${key}`;
  const state = createConversationState(environment.isOnline?.() ?? true);
  const storage = createConversationStorage(name, environment, files);
  const serviceClock = createServiceClock(clock);
  const identity = createIdentity(serviceClock, environment.fetch);
  const page = createPageContext(() => parts.load(() => import('./page-tools/page-rules.ts')));
  const connection: Connection = { baseUrl, key, fetch: identity.fetch, clock, events: events ?? {} };
  state.notify.value = storage.get('notify') !== '';

  const report = (error: ParleyError) => {
    console.error(`Parley: ${error.message}`);
    onError(error);
  };
  const onReconnect = () => {
    state.reconnections.value++;
    outbox.resend();
  };
  const held = createHeld(state);
  const draft = createDraft(storage, clock, () => !held.value);
  const reader = createTranscriptReader({
    state,
    connection,
    clock,
    environment,
    name,
    report,
    onReconnect,
    outbox: () => outbox,
  });
  const outbox = createOutbox({
    state,
    storage,
    files,
    connection,
    identity,
    clock,
    locks,
    began(session, stream) {
      storage.write(session);
      reader.follow(session, stream);
    },
  });

  /** The visitor has left, or another one has come. */
  const forgetHere = (visitor: string) => {
    identity.forgotten++;
    outbox.abort();
    reader.follow(null);
    // The tab that forgets empties the storage; another one could only write back what it last read there.
    state.outbox.value = [];
    // Of their own: who is adding files sees by them that they were given up.
    draft.change({ ...noDraft, files: [] });
    if (identity.visitor.value !== visitor) {
      identity.authorizedFetch = undefined;
      identity.visitor.value = '';
    }
    parts.lookAtPreChat();
  };
  const forget = (visitor: string) => {
    storage.forget(visitor);
    forgetHere(visitor);
  };

  const send = createSend({
    state,
    page,
    signal,
    outbox,
    held,
    pendingCount: () => reader.pendingCount(),
    nameParts: (...given) => parts.nameParts(...given),
    beforeSend,
  });

  const core: ConversationCore = {
    state,
    storage,
    files,
    connection,
    identity,
    page,
    draft,
    outbox,
    clock,
    environment,
    signal,
    generation: outbox.generation,
    report,
    tell: onEvent,
    isNews: ({ id, startedAt: at }: Turn) =>
      state.ownTurns.value.has(id) || serviceClock.localTime(at) > startedAt,
    latest(): Transcript {
      reader.flush();
      return state.transcript.value;
    },
    follow: reader.follow,
    forget,
    send,
    discard: (id) => outbox.set(state.outbox.value.filter((each) => each.id !== id)),
  };

  const begun = Promise.withResolvers<void>();
  const parts = loadParts(core, reader, [begun.promise, showsAll]);
  const { act, ask, serving } = parts;

  const retrySetup = configure(state, {
    clock,
    events,
    signal,
    report,
    service: { baseUrl, key, fetch: identity.anonymousFetch },
    storage,
    ready(config) {
      connection.platform = config.platform;
      assign(state, {
        setup: { kind: 'ready', config },
        preChat: inLanguage(config.widget, state.language.value),
      });
      reader.follow(storage.read());
      outbox.restore();
      begun.resolve();
    },
  });

  storage.subscribe((reference) => {
    // Before the settings are there nothing is read; then the storage tells.
    if (state.setup.value.kind !== 'ready' || reference?.sessionId === state.session.value?.sessionId) return;
    // The conversation this tab's first message waits for may be the one another tab has begun.
    if (state.session.value) act('leave')(reference);
    else reader.follow(reference);
  }, forgetHere);
  const listen = (type: string, listener: () => void) => events?.addEventListener(type, listener, { signal });
  listen('pagehide', draft.save);
  listen('offline', () => (state.online.value = false));
  listen('online', () => {
    state.online.value = true;
    onReconnect();
  });
  listen('storage', parts.lookAtPreChat);

  return {
    ...readonly(state),
    /** What of it still comes before the first message; null once that may be sent. */
    preChat: computed(() => (held.value ? state.preChat.value : null)),
    /** Whether something is being answered or on its way. */
    busy: computed(
      () =>
        state.transcript.value.status === 'working' ||
        state.outbox.value.some((each) => each.state.kind !== 'failed'),
    ),
    /** Whether there is a conversation of which nothing has arrived yet. */
    restoring: computed(
      () =>
        state.session.value !== null &&
        state.transcript.value.nextIndex === 0 &&
        state.outbox.value.length === 0 &&
        !state.failure.value,
    ),
    /** Who the page says the visitor is; empty for nobody. */
    visitor: identity.visitor as ReadonlySignal<string>,
    /** Another one for another visitor or conversation; the one before is aborted. */
    generation: outbox.generation,
    draft: draft as Pick<Draft, 'change' | 'prefill'> & { state: ReadonlySignal<DraftState> },
    name,
    /** What time it is for the service. */
    clock: serviceClock,
    /** Whether a turn began on this page, or answers what was said on it. */
    isNews: core.isNews,

    /** In which language the visitor is asked what comes before the first message, as a tag. */
    setLanguage(locale: string): void {
      state.language.value = locale;
      parts.lookAtPreChat();
    },
    /** Asks for the settings again. */
    retrySetup,
    /** Tells the page what went wrong, and whoever looks at its console. */
    report,
    /** False when the page does not let it go. `said`: what the page had said when it was written. */
    send,
    /** Sends a message again that was not sent. */
    retry: act('retry'),
    discard: core.discard,
    stop: act('stop'),
    respond: act('respond'),
    withdrawReply: act('withdrawReply'),
    resend: act('resend'),
    edit: act('edit'),
    attach: act('attach'),
    filesOf: act('filesOf'),
    fileAddress: act('fileAddress'),
    formEntries: act('formEntries'),
    keepFormEntries: act('keepFormEntries'),
    ratingOf: act('ratingOf'),
    rate: act('rate'),
    passPreChat: act('passPreChat'),
    setNotify: act('setNotify'),
    download: ask('download'),
    erase: ask('erase'),
    eraseAll: ask('eraseAll'),
    list: ask('list'),
    handOver: ask('handOver'),
    askForMail: ask('askForMail'),
    /** Goes on with the conversation that another browser has handed over; rejects where it cannot be claimed. */
    receive: async (token: string): Promise<void> => {
      const session = await ask('claim')(token);
      if (session) act('receive')(session);
    },

    startNew: act('startNew'),
    open: act('open'),
    lastConversation: (): LastConversation | null => act('lastConversation')() ?? null,
    /** Reads the conversation again from its beginning. */
    reload: () => reader.follow(state.session.value),
    /** Whether the visitor has the conversation before them: what arrives then is read. */
    show: (isShown: boolean) => void (state.shown.value = isShown),

    /** What the agent is told of the page with each message; null takes it back. Rejects what the service would refuse. */
    setContext: page.setValues,
    /** A function that the agent may call; `run: null` takes it away. Resolves with all there are; rejects what the service would refuse. */
    offerTool: async (tool: ClientTool | { name: string; run: null }) => {
      await page.offer(tool);
      void serving.then((served) => served?.runTools());
      return page.tools;
    },
    /** Another visitor than before ends the earlier one's conversation here first. */
    identify: async (token: VisitorToken): Promise<void> => {
      const called = clock.now();
      const known = serving.then((served) => served?.identify(token, called));
      identity.ready = known.catch(() => {});
      const claim = await known;
      await claim?.();
    },
    /** Forgets the visitor and the conversation in every tab. */
    logout: async (): Promise<void> => {
      identity.ready = undefined;
      // At once: the page may be left, or the service be out of reach.
      forget('');
      (await serving)?.logout();
    },

    /** Resolves when every part of the code is there; nothing has to wait for it. */
    loaded: parts.loaded,
    dispose: (): void => {
      outbox.abort();
      draft.save();
      ending.abort();
      // What still waits, for a token or for the network, finds nothing to go on with.
      reader.follow(null);
      begun.resolve();
      storage.close();
    },
  };
}
