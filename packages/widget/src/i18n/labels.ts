import type { cardLabels } from './card-labels.ts';

/** Every word that the panel says on its own from the first moment, in English. `{…}` is filled in. */
export const labels = {
  assistant: 'AI assistant',
  honesty: 'You are talking to an AI. It can make mistakes.',
  privacy: 'Privacy',
  close: 'Close',
  conversation: 'Conversation',
  message: 'Message',
  placeholder: 'Write a message…',
  placeholderBusy: 'Write the next message…',
  send: 'Send',
  queue: 'Send next',
  prompts: 'Suggestions',
  you: 'You',
  working: 'Working…',
  answering: 'Answering…',
  sending: 'Sending…',
  notSent: 'Not sent',
  done: 'Done',
  toDo: 'To do',
  reconnecting: 'Reconnecting…',
};

/** A language as a chunk carries it, and as a tenant overrides parts of it. */
export type Labels = typeof labels & typeof cardLabels;
export type LabelName = keyof Labels;

/** What it takes to speak to this visitor. */
export type Words = {
  label: (name: LabelName, values?: Record<string, string | number>) => string;
  locale: string;
};

export const fill = (label: string, values: Record<string, string | number>): string =>
  label.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
