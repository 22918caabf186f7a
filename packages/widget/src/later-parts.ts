import type { OutboxMessage, QuestionPart, TextPart, Turn, TurnPart } from '@parley/conversation';
import type { MessagePart } from '@parley/protocol/event';
import type { FilesSettings } from '@parley/protocol/settings/files';
import type { ComponentType } from 'preact';
import type { Inline } from './parts/markdown/inline.ts';
import type { SafeUrl } from './parts/markdown/safe-url.ts';

type Component<Props = object> = ComponentType<Props>;
type SentFile = Extract<MessagePart, { type: 'file' }>;

/** What is loaded beside the panel, which greets and takes messages without it. */
export type Answers = {
  TurnView: Component<{ turn: Turn; index: number; last: boolean; named: boolean }>;
};

/** What is loaded after that: the places in the panel and in an answer that stay empty until then. */
export type Cards = {
  Announcer: Component;
  AttachButton: Component<{ policy: FilesSettings }>;
  Attached: Component;
  Broken: Component<{ again: () => void }>;
  BubbleEnd: Component<{ at: number | string; text: string }>;
  CharactersLeft: Component<{ count: number }>;
  Code: Component<{ text: string; language: string; open: boolean }>;
  ConversationList: Component;
  Elapsed: Component<{ since: number; quiet?: boolean }>;
  Ending: Component<{ part: TextPart }>;
  FailedTurn: Component<{ turn: Turn; last: boolean }>;
  Form: Component<{ question?: QuestionPart }>;
  GrowingText: Component<{ text: string }>;
  Marks: Component<{ before: number }>;
  Menu: Component;
  MoreRows: Component<{ count: number }>;
  Notice: Component;
  Part: Component<{ part: TurnPart }>;
  Pill: Component<{ unread: number; toEnd: () => void }>;
  Image: Component<{ url: SafeUrl | null; alt: string; open: boolean }>;
  Resume: Component;
  SentFiles: Component<{
    files: readonly SentFile[];
    unsent: { id: string; at: number } | undefined;
  }>;
  TurnActions: Component<{ turn: Turn; parts: readonly TurnPart[]; last: boolean }>;
  Unsent: Component<{ message: OutboxMessage }>;
  /** The host that a link leads to, where its text tells another one. */
  disguisedHost(text: string, url: SafeUrl): string | null;
  /** The same with links for the mail addresses and telephone numbers in it. */
  linkAddresses(nodes: Inline[]): Inline[];
  /** Whether a part that is no text shows by itself that work goes on. */
  showsWork(part: TurnPart): boolean;
  /** Tells whether a reader of the list wants to be elsewhere in it than at its end. */
  watchReader(element: HTMLElement, elsewhere: () => void, toEnd: () => void): () => void;
};
