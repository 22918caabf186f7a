import type { ScriptStep } from '@parley/protocol/settings/script';
import type { Done } from './conversation.ts';
import { fillJson, fillText, type PlaceholderValues } from './placeholder.ts';

export type Action =
  | { kind: 'text' | 'reasoning'; text: string; repeat: number; alreadySaid: number; delayMs: number }
  | { kind: 'call'; toolName: string; input: unknown }
  | { kind: 'wait'; milliseconds: number }
  | { kind: 'fail'; message: string }
  | { kind: 'finish'; finishReason: 'stop' | 'length' | 'content-filter' };

export interface Performance {
  readonly steps: readonly ScriptStep[];
  readonly values: Omit<PlaceholderValues, 'result'>;
  /** What the steps did before this model call: it is walked over, not done again. */
  readonly done: readonly Done[];
  readonly offered: ReadonlySet<string>;
}

/** What one model call does: it starts where `done` ends and ends with neighbouring calls, a finish, a failure or the script. */
export function* perform({ steps, values, done, offered }: Performance): Generator<Action, void> {
  const past = new Past(done);
  let result = '';
  let called = false;
  const fill = (text: string) => fillText(text, { ...values, result }).replaceAll('\0', '');
  const utter = (kind: 'text' | 'reasoning', text: string, repeat: number, delayMs: number): Action => ({
    kind,
    text,
    repeat,
    alreadySaid: past.take(kind, text.length * repeat),
    delayMs,
  });

  for (const step of steps) {
    const call = callOf(step);
    if (call) {
      const refusal = `I cannot use ${call.toolName} here.`;
      const answered = past.takeCall();
      if (answered !== undefined) {
        result = answered;
      } else if (past.begins(refusal) || !offered.has(call.toolName)) {
        if (called) return;
        yield utter('text', refusal, 1, 0);
      } else {
        called = true;
        yield { kind: 'call', toolName: call.toolName, input: fillJson(call.input, { ...values, result }) };
      }
    } else if (called) {
      return;
    } else if ('say' in step) {
      yield utter('text', fill(step.say), step.repeat ?? 1, step.delayMs ?? 0);
    } else if ('reason' in step) {
      yield utter('reasoning', fill(step.reason), 1, step.delayMs ?? 0);
    } else if ('wait' in step) {
      if (past.isOver()) yield { kind: 'wait', milliseconds: step.wait };
    } else if ('fail' in step) {
      return yield { kind: 'fail', message: fill(step.fail) };
    } else if ('finish' in step) {
      return yield { kind: 'finish', finishReason: step.finish };
    }
  }
}

const callOf = (step: ScriptStep): { toolName: string; input: unknown } | undefined => {
  if ('call' in step) return { toolName: step.call, input: step.input ?? {} };
  return 'ask' in step ? { toolName: 'ask_question', input: step.ask } : undefined;
};

/** Walks over what was done. Anything later than what is asked for means that it was done too. */
class Past {
  readonly #rest: Done[];

  constructor(done: readonly Done[]) {
    this.#rest = [...done];
  }

  isOver(): boolean {
    return this.#rest.length === 0;
  }

  begins(text: string): boolean {
    const next = this.#rest[0];
    return next?.kind === 'text' && next.text.startsWith(text);
  }

  takeCall(): string | undefined {
    const index = this.#rest.findIndex((item) => item.kind !== 'reasoning');
    const next = this.#rest[index];
    if (next?.kind !== 'call') return undefined;
    this.#rest.splice(0, index + 1);
    return next.result;
  }

  /** How many of `length` characters of this kind were said. */
  take(kind: 'text' | 'reasoning', length: number): number {
    if (kind === 'text' && this.#rest[0]?.kind === 'reasoning') this.#rest.shift();
    const next = this.#rest[0];
    if (next === undefined) return 0;
    if (next.kind !== kind) return length;
    const taken = Math.min(length, next.text.length);
    if (taken === next.text.length) this.#rest.shift();
    else this.#rest[0] = { kind, text: next.text.slice(taken) };
    return taken;
  }
}
