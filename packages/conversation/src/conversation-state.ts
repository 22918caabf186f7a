import type { ParleyError } from '@parley/client/error';
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { WidgetConfig } from './load-config.ts';
import type { OutboxMessage } from './outbox/outbox-message.ts';
import type { PreChat } from './outbox/pre-chat.ts';
import type { Session } from './storage/conversation-storage.ts';
import type { SignInPart } from './transcript/turn.ts';
import { emptyTranscript } from './transcript/transcript.ts';

/** What the agent's settings say, once the service has told them. */
export type Setup =
  | { kind: 'loading' }
  | { kind: 'ready'; config: WidgetConfig }
  /** `temporary`: it is tried again, by itself too. */
  | { kind: 'failed'; error: ParleyError; temporary: boolean };

export type Reply = { optionId?: string; text?: string };
export type ReplyState = { kind: 'sending' } | { kind: 'failed'; error: ParleyError };

/** The signals of a conversation; what may be asked of several of them is computed in `conversation.ts`. */
export const createConversationState = (isOnline: boolean) => ({
  setup: signal<Setup>({ kind: 'loading' }),
  session: signal<Session | null>(null),
  /** What was written here and the log does not show yet. */
  outbox: signal<readonly OutboxMessage[]>([]),
  online: signal(isOnline),
  connectionStatus: signal<'none' | 'connecting' | 'live' | 'lost'>('none'),
  /** How often the network has come back. */
  reconnections: signal(0),
  preChat: signal<PreChat>({}),
  /** A language tag; empty for the settings' own words. */
  language: signal(''),
  /** Whether the visitor has the conversation before them. */
  shown: signal(false),
  /** How much there is to read, and how much the agent waits for the visitor to answer, approve or sign in to. */
  counts: signal({ answers: 0, openRequests: 0 }),
  /** What the visitor has to sign in to so that the agent can go on. */
  openSignIns: signal<readonly SignInPart[]>([]),
  /** How many answers and requests wait for somebody to whom it is not shown. */
  unread: signal(0),
  /** Whether the visitor wants to hear of what is new. */
  notify: signal(false),
  /** Whether some of the code could not be loaded so far. */
  incomplete: signal(false),
  ...mapSignals(nothingRead),
});

/** A conversation of which nothing has arrived yet. */
export const nothingRead = {
  transcript: emptyTranscript,
  /** Why this conversation cannot be read. */
  failure: null as ParleyError | null,
  /** The turns that answer messages of this page; the others were there before or come from elsewhere. */
  ownTurns: new Set<string>() as ReadonlySet<string>,
  /** What became of the visitor's replies to open requests, by the id of the request. */
  replies: new Map<string, ReplyState>() as ReadonlyMap<string, ReplyState>,
  /** The turn that the visitor has just stopped. */
  stopping: null as string | null,
  /** The turn that answers what was said last, while nothing else was being answered: it begins near the top of the view. */
  leading: null as string | null,
};

type Signals<Values> = { [Name in keyof Values]: Signal<Values[Name]> };

// `fromEntries` loses the names, which its type does not say.
const mapSignals = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, signal(value)])) as Signals<Values>;

export type ConversationState = ReturnType<typeof createConversationState>;
export type ConversationValues = { [Name in keyof ConversationState]: ConversationState[Name]['value'] };

/** Changes several signals at once: nobody sees one without the others. */
export const assign = (state: ConversationState, changed: Partial<ConversationValues>): void =>
  batch(() => {
    for (const [name, value] of Object.entries(changed))
      (state[name as keyof ConversationValues] as Signal<unknown>).value = value;
  });

/** The same signals for who may only read them. */
export const readonly = (state: ConversationState) =>
  state as { readonly [Name in keyof ConversationValues]: ReadonlySignal<ConversationValues[Name]> };
