import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Conversation, WidgetConfig } from '@parley/conversation';
import type { ClientTool } from './loader/widget-api.ts';
import type { Signal } from '@preact/signals-core';
import type { Cards } from './later-parts.ts';
import { fill, type LabelName, type Labels } from './i18n/labels.ts';

/** Before the configuration is here: what the page says. */
export type Face = Partial<WidgetConfig['widget']> & { name: string; fallback?: string | undefined };

/** What every part of one widget shares. */
export type Widget = {
  conversation: Conversation;
  /** How visitors see tools. A service of an earlier version says nothing of them. */
  tools: WidgetConfig['tools'] | undefined;
  /** What the page has offered; null for what it has taken away. */
  pageTools: ReadonlyMap<string, { tool: ClientTool } | null>;
  /** Whether the visitor looks at the list of their conversations. */
  listing: Signal<boolean>;
  /** What a conversation of another browser is claimed with, until the visitor has chosen. */
  arrival: Signal<string | null>;
  /** The words of cards come with them, or with a language. */
  labels: Partial<Labels>;
  cards: Cards | null;
  locale: string;
  /** How the agent looks and what it says before a conversation, in the visitor's language. */
  face: Face;
};

export const WidgetContext = createContext<Widget>(null!);

/** The widget's words by name, with `{…}` filled in, and what else its parts share. */
export function useWidget() {
  const widget = useContext(WidgetContext);
  return {
    ...widget,
    label: (name: LabelName, values: Record<string, string | number> = {}) =>
      fill(widget.labels[name] ?? '', values),
  };
}
