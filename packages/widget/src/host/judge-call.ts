import type { VisitorToken } from '@parley/conversation';
import type { ClientTool, WidgetChanges } from '../loader/widget-api.ts';

type Rule = [wanted: string, isMet: (value: never) => unknown];

const anything: Rule = ['', () => true];
const text: Rule = ['a text', (value) => typeof value === 'string'];

/** What the service takes as a context, as JSON. */
const contextJson = /^(null|\{[^]{0,19998}\})$/;

/** Calls by their verb, each with what it takes. */
const rules: Partial<Record<string, Rule>> = {
  open: anything,
  close: anything,
  toggle: anything,
  logout: anything,
  send: text,
  prefill: text,
  identify: [
    'a token or a function that gives one',
    (token: VisitorToken) => /^(str|fun)/.test(typeof token),
  ],
  update: [
    'options, and labels that are texts',
    ({ labels }: WidgetChanges) => Object.values(labels ?? {}).every((label) => typeof label === 'string'),
  ],
  context: [
    'an object of at most 20,000 characters as JSON, or null',
    (values) => contextJson.test(JSON.stringify(values)),
  ],
  tool: [
    '{ name, description, parameters: { type: "object" }, run }',
    ({ name, description, parameters, run }: Record<keyof ClientTool, unknown>) =>
      typeof name === 'string' &&
      /^[a-z][\w-]{0,63}$/i.test(name) &&
      (run === null ||
        (typeof run === 'function' &&
          typeof description === 'string' &&
          /^.{1,4000}$/s.test(description) &&
          /"type":"object"/.test(JSON.stringify(parameters)))),
  ],
};

/**
 * Throws, in words for whoever makes the page, at a call that would break a conversation later and for its visitor. Not
 * all pages are written in TypeScript.
 */
export function judgeCall(verb: string, value: unknown): void {
  const [wanted, isMet] = (Object.hasOwn(rules, verb) && rules[verb]) || [];
  if (!isMet) throw Error(`Parley: there is no call ${verb}.`);
  let isTaken: unknown;
  try {
    isTaken = isMet(value as never);
  } catch {
    // It is no object, or none that can be sent.
  }
  if (!isTaken) throw Error(`Parley: ${verb} takes ${wanted}.`);
}
