import { maxArgumentBytes, maxCallsPerStep, maxJsonDepth } from '@parley/protocol/bounds';
import { jsonFault } from '@parley/protocol/text';
import type { AssistantPart, ToolOutput } from '../model/message.ts';
import type { Tool } from '../tool/tool.ts';
import { callIdAt } from './call-id.ts';
import { jsonBytes } from './json-bytes.ts';

interface CallBase {
  readonly callId: string;
  readonly toolName: string;
}

/** A call as the model made it, judged. A faulty one has no event: the model alone is told. */
export type JudgedCall =
  | (CallBase & { tool: Tool; input: Record<string, unknown> })
  | (CallBase & { tool: null; input: Record<string, unknown>; result: ToolOutput });

interface Step {
  readonly sessionId: string;
  readonly turn: number;
  readonly stepIndex: number;
}

/** Names of tools that every provider takes back in a history. */
const toolName = /^[A-Za-z0-9_-]{1,64}$/;

const tooMany = `This call and every one after it in this step were not made: a step makes at most ${maxCallsPerStep} calls. Make them in the next step.`;

/**
 * The calls of one model step, under ids of our own. Of those beyond what a step may make the first is kept, so that
 * the model is told, and the others are as if they had not been there.
 */
export class StepCalls {
  readonly #step: Step;
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Our ids by the provider's, in the order in which they came. */
  readonly #ids = new Map<string, string>();
  readonly #judged = new Map<string, JudgedCall>();
  #argumentBytes = 0;
  #streamedBytes = 0;

  /** `tools` are those that may be called. */
  constructor(step: Step, tools: ReadonlyMap<string, Tool>) {
    this.#step = step;
    this.#tools = tools;
  }

  get judged(): readonly JudgedCall[] {
    return [...this.#judged.values()];
  }

  /** The call that arguments belong to while they stream; null where they belong to none that is made. */
  streamed(providerId: string, delta: string): string | null {
    const callId = this.#idOf(providerId);
    this.#streamedBytes += jsonBytes(delta);
    return this.#ids.size > maxCallsPerStep || this.#streamedBytes > maxArgumentBytes ? null : callId;
  }

  add({
    callId: providerId,
    ...call
  }: {
    callId: string;
    toolName: string;
    input: unknown;
    inputError?: string;
  }): void {
    const callId = this.#idOf(providerId);
    if (callId !== null) this.#judged.set(callId, this.#judge({ callId, ...call }));
  }

  /** What the model said, its calls under our ids and with the arguments they are made with. */
  withOurIds(content: readonly AssistantPart[]): readonly AssistantPart[] {
    return content.flatMap((part): readonly AssistantPart[] => {
      if (part.type !== 'tool-call') return [part];
      const call = this.#judged.get(this.#ids.get(part.toolCallId) ?? '');
      return call ? [{ ...part, toolCallId: call.callId, toolName: call.toolName, input: call.input }] : [];
    });
  }

  #idOf(providerId: string): string | null {
    const known = this.#ids.get(providerId);
    if (known !== undefined) return known;
    if (this.#ids.size > maxCallsPerStep) return null;
    const { sessionId, turn, stepIndex } = this.#step;
    const callId = callIdAt(sessionId, turn, stepIndex, this.#ids.size);
    this.#ids.set(providerId, callId);
    return callId;
  }

  #judge(call: { callId: string; toolName: string; input: unknown; inputError?: string }): JudgedCall {
    const { callId, inputError } = call;
    const named = toolName.test(call.toolName);
    const base = { callId, toolName: named ? call.toolName : 'unknown_tool' };
    const faulty = (value: string, input: Record<string, unknown> = {}): JudgedCall => ({
      ...base,
      tool: null,
      input,
      result: { type: 'error-text', value },
    });
    if (this.#judged.size >= maxCallsPerStep) return faulty(tooMany);
    const tool = this.#tools.get(call.toolName);
    if (!named || !tool)
      return faulty(`There is no tool named ${call.toolName.slice(0, 64).toWellFormed()}.`);
    if (inputError !== undefined) return faulty(`The arguments are not valid JSON: ${inputError}`);
    const input = asArguments(call.input);
    if (input === null) return faulty('The arguments must be a JSON object.');
    if (jsonFault(input) !== null)
      return faulty(`The arguments hold U+0000 or are nested more than ${maxJsonDepth} deep.`);
    this.#argumentBytes += Buffer.byteLength(JSON.stringify(input));
    if (this.#argumentBytes > maxArgumentBytes)
      return faulty(`The call was not made: the arguments of a step have at most ${maxArgumentBytes} bytes.`);
    const wrong = tool.invalid(input);
    return wrong === undefined ? { ...base, tool, input } : faulty(wrong, input);
  }
}

function asArguments(input: unknown): Record<string, unknown> | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  return input as Record<string, unknown>;
}
