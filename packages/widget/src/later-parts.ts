import type { OutboxMessage, QuestionPart, Setup, TextPart, Turn, TurnPart } from '@parley/conversation';
import type { Author, MessagePart } from '@parley/protocol/event';
import type { FilesSettings } from '@parley/protocol/settings/files';
import type { ComponentChildren, ComponentType } from 'preact';
import type { Inline } from './parts/markdown/assemble-inline.ts';

type Component<Props = object> = ComponentType<Props>;
type SentFile = Extract<MessagePart, { type: 'file' }>;

/** What fills the places in the panel and in an answer that stay empty until it is loaded. */
export type LaterViews = {
  Announcer: Component;
  AttachButton: Component<{ policy: FilesSettings }>;
  Attached: Component;
  Broken: Component<{ again: () => void }>;
  Away: Component<NonNullable<Turn['away']>>;
  BubbleEnd: Component<{ at: number | string; text: string }>;
  CharactersLeft: Component<{ count: number }>;
  Code: Component<{ text: string; language: string; open: boolean }>;
  ConversationList: Component;
  Elapsed: Component<{ since: number; quiet?: boolean }>;
  Ending: Component<{ part: TextPart }>;
  FailedTurn: Component<{ turn: Turn; last: boolean }>;
  Form: Component<{ question?: QuestionPart }>;
  GrowingText: Component<{ text: string }>;
  Link: Component<{ destination: string | null; text: string; children: ComponentChildren }>;
  Dividers: Component<{ before: number }>;
  Menu: Component;
  NewConversation: Component;
  Notice: Component;
  Part: Component<{ part: TurnPart }>;
  Portrait: Component<{ person: Author }>;
  ScrollToEndButton: Component<{ unread: number; toEnd: () => void }>;
  Image: Component<{ destination: string | null; alt: string; open: boolean }>;
  Resume: Component;
  SetupNotice: Component<Extract<Setup, { kind: 'failed' }>>;
  Stop: Component;
  Table: Component<{
    lines: readonly string[];
    open: boolean;
    draw: (text: string, open: boolean) => ComponentChildren;
  }>;
  SentFiles: Component<{
    files: readonly SentFile[];
    unsent: { id: string; at: number } | undefined;
  }>;
  TurnActions: Component<{ turn: Turn; parts: readonly TurnPart[]; last: boolean }>;
  Unsent: Component<{ message: OutboxMessage }>;
};

/** What is loaded after the panel. */
export type Cards = LaterViews & {
  /** Reads inline markdown with the addresses that stand in it for themselves. */
  readInline: (source: string, open?: boolean) => Inline[];
  /** Whether a part that is no text shows by itself that work goes on. */
  showsWork(part: TurnPart): boolean;
  /** Tells whether a reader of the list wants to be elsewhere in it than at its end. */
  watchReader(element: HTMLElement, elsewhere: () => void, toEnd: () => void): () => void;
};
