import type { VisitorToken } from '@parley/conversation';
import type { WidgetChanges } from '../loader/widget-api.ts';

type Rule = [wanted: string, isMet: (value: never) => unknown];

const text: Rule = ['a text', (value) => typeof value === 'string'];

/** What a context and a tool may hold the conversation says itself. */
const unjudged = /^(open|close|toggle|logout|context|tool)$/;

/** The other calls by their verb, each with what it takes. */
const rules: Partial<Record<string, Rule>> = {
  __proto__: null as never,
  send: ['a text that is not empty', (value: string) => value.trim()],
  prefill: text,
  identify: [
    'a token or a function that gives one',
    (token: VisitorToken) => /^(str|fun)/.test(typeof token),
  ],
  update: [
    'options, labels that are texts, and a launcher that is a selector',
    (changed: WidgetChanges) =>
      typeof changed === 'object' &&
      Object.values(changed.labels ?? {}).every((label) => typeof label === 'string') &&
      // Unlike `:is()`, `:not()` takes nothing that is no selector.
      (!changed.launcher || CSS.supports(`selector(:not(${changed.launcher}))`)),
  ],
};

/**
 * Throws, in words for whoever makes the page, at a call that would break a conversation later and for its visitor. Not
 * all pages are written in TypeScript.
 */
export function judgeCall(verb: string, value: unknown): void {
  if (unjudged.test(verb)) return;
  const [wanted, isMet] = rules[verb] ?? [];
  if (!isMet) throw Error(`Parley: there is no call ${verb}.`);
  let isTaken: unknown;
  try {
    isTaken = isMet(value as never);
  } catch {
    // It is no object.
  }
  if (!isTaken) throw Error(`Parley: ${verb} takes ${wanted}.`);
}
