import type { ClientTool as ConversationTool, VisitorToken } from '@parley/conversation';

/** What a page decides about its widget. All but `labels` may stand as `data-…` attributes on the script tag. */
export type WidgetOptions = {
  /** The publishable key, `pk_live_…`. */
  key: string;
  /** Tells several widgets of a page apart: `parley('sales.open')`. */
  id?: string;
  /** What the launcher and, until the agent's own name is known, the panel are called. */
  name?: string;
  /** `inline` fills its container and is always open. */
  mode?: 'bubble' | 'inline';
  /** Selector of the container for `inline`, where a script tag puts it. */
  target?: string;
  /** Selector of the page's own launchers; ours is not shown then. */
  launcher?: string;
  theme?: 'light' | 'dark' | 'auto';
  /** As in `#2563eb`. */
  accent?: string;
  position?: 'start' | 'end';
  /** A square picture as a `data:` address, until the agent's own is known. */
  avatar?: string;
  /** As a language tag; the page's own language by default. */
  locale?: string;
  /** CSS lengths between the launcher and the edges of the window. */
  offsetX?: string;
  offsetY?: string;
  zIndex?: string | number;
  /** A line beside the launcher, once the page is quiet; empty for the one in the agent's settings. */
  teaser?: string;
  /** On a phone, Back closes the panel instead of leaving the page. As an attribute it needs no value. */
  history?: boolean | '';
  /** Another way of reaching somebody, where the chat does not work: an address, `mailto:` and `tel:` too. */
  fallback?: string;
  /** Replaces words of the widget. */
  labels?: Record<string, string>;
};

/** What a page can change at any moment; `undefined` stands for the default. */
export type WidgetChanges = {
  [Option in Exclude<keyof WidgetOptions, Lasting>]?: WidgetOptions[Option] | undefined;
};
type Lasting = 'key' | 'id' | 'mode' | 'target' | 'teaser' | 'history' | 'fallback';

/** A function of the page that the agent may call. */
export type ClientTool = ConversationTool & {
  /** How visitors see it, by language: `{ title: { en: 'Basket' }, summary: { en: 'Put {{article}} into the basket' } }`. */
  display?: { title: Record<string, string>; summary?: Record<string, string> };
};

/** What a page can ask of its widget, under the same names in the script tag, the element and the package. */
export type WidgetCalls = {
  /** `focus: false` leaves the focus where it is. */
  open(options?: { focus?: boolean }): void;
  close(): void;
  toggle(): void;
  /** Sends a message as the visitor. Resolves once it is in the conversation, from where it goes as soon as it can. */
  send(text: string): void | Promise<void>;
  /** Puts a text into the field without sending it. */
  prefill(text: string): void;
  /** Another visitor than before ends the earlier one's conversation here first. */
  identify(token: VisitorToken): void | Promise<void>;
  /** Forgets the visitor and the conversation in every tab. */
  logout(): void | Promise<void>;
  update(changes: WidgetChanges): void;
  /** What the agent is told of the page with each message; `null` takes it back. */
  context(values: Record<string, unknown> | null): void;
  /** `null` takes the tool away. */
  tool(tool: ClientTool | { name: string; run: null }): void;
};

/** `detail` of the `CustomEvent` named `parley:` and the key, on the host element; they bubble and are composed. */
export type WidgetEvents = {
  open: null;
  close: null;
  /** The configuration is here and the conversation can begin. */
  ready: null;
  /** Cancelable: the message is then not sent. */
  'before-send': { text: string };
  /** Cancelable: the link is then not opened. */
  'before-open-link': { url: string };
  /** A message of the visitor or a finished answer of the agent, once each, never one from before the page. */
  message: { role: 'visitor' | 'agent'; text: string; turnId: string };
  approval: { requestId: string; toolName: string };
  question: { requestId: string; prompt: string };
  /** How many answers and requests wait behind a closed panel. */
  unread: { count: number };
  error: { code: string; message: string };
};

/** What the panel is given by whoever loads it. */
export type MountOptions = {
  root: ShadowRoot;
  /** The service's address, without a slash at the end. */
  base: string;
  /** Absent: the panel fills its place and is always open. */
  launcher?: HTMLButtonElement | undefined;
  /** Where `sessionStorage` notes that the launcher's panel is open. */
  storageKey?: string;
  options: WidgetOptions;
  /** What the page sees of the widget without its panel takes on what was changed. */
  dress?: (changed: WidgetChanges) => void;
};

/** What the panel gives back. */
export type Panel = WidgetCalls & {
  destroy(): void;
  /** Any of the calls. Rejects, in words, what would break a conversation. */
  call(verb: string, ...args: unknown[]): Promise<unknown>;
};
