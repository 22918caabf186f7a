import type {
  LanguageModelV4File,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { secureJsonParse } from '@ai-sdk/provider-utils';
import type { FinishReason, Usage } from '@parley/protocol/event';
import { withLongNumbersAsTexts } from '@parley/protocol/exact-json';
import { type AssistantPart, type ReasoningPart, type TextPart, isJsonObject } from './message.ts';
import { ModelError } from './model-error.ts';
import type { ModelPart } from './model.ts';

type FinishPart = Extract<ModelPart, { type: 'finish' }>;

/** What a provider may make us hold for one call. */
const maxCharacters = 8 * 1024 * 1024;

/** Calls under one id beyond this are ignored: a step makes fewer. */
const maxCallsOfOneId = 64;

/** Turns what a provider streams into our parts, and gathers the message that goes back to the provider with the next call. */
export class ResponseAssembler {
  readonly #showReasoning: boolean;
  readonly #mayCall: boolean;
  readonly #content: AssistantPart[] = [];
  readonly #blocks = new Map<string, TextPart | ReasoningPart>();
  readonly #toolNames = new Map<string, string>();
  /** Name and arguments of each call, as JSON, by its id. */
  readonly #calls = new Map<string, string>();
  #characters = 0;
  #finishReason: FinishReason | null = null;
  #usage: Usage = {};

  constructor(showReasoning: boolean, toolChoice?: 'none') {
    this.#showReasoning = showReasoning;
    this.#mayCall = toolChoice !== 'none';
  }

  /** Throws what the provider reports as an error, whatever it looks like. */
  add(part: LanguageModelV4StreamPart): Exclude<ModelPart, { type: 'finish' | 'again' }> | undefined {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        this.#block('text', part.id, '', part.providerMetadata);
        return undefined;
      case 'reasoning-start':
      case 'reasoning-end':
        this.#block('reasoning', part.id, '', part.providerMetadata);
        return undefined;
      case 'text-delta': {
        const text = this.#block('text', part.id, part.delta, part.providerMetadata);
        return text === '' ? undefined : { type: 'text', text };
      }
      case 'reasoning-delta': {
        const text = this.#block('reasoning', part.id, part.delta, part.providerMetadata);
        if (text === '') return undefined;
        return this.#showReasoning
          ? { type: 'reasoning', text }
          : { type: 'hidden', bytes: Buffer.byteLength(text) };
      }
      case 'tool-input-start':
        if (this.#mayCall) this.#toolNames.set(part.id, part.toolName);
        return undefined;
      case 'tool-input-delta': {
        const toolName = this.#toolNames.get(part.id);
        const delta = this.#measured(part.delta);
        if (toolName === undefined || delta === '' || this.#calls.has(part.id)) return undefined;
        return { type: 'tool-input', callId: part.id, toolName, delta };
      }
      case 'tool-call':
        return this.#call(part);
      case 'file':
        this.#file(part);
        return undefined;
      case 'finish':
        this.#finishReason = reasonOf(part.finishReason);
        this.#usage = usageOf(part.usage);
        return undefined;
      case 'error':
        throw part.error;
      default:
        return undefined;
    }
  }

  /** Throws where the provider has not said that its reply is over: half an answer is none. */
  finish(): FinishPart {
    const reason = this.#finishReason;
    if (reason === null) throw new ModelError('malformed', 'The provider cut its reply short.');
    if (reason === 'error' && this.#content.every(isSilent))
      throw new ModelError(
        'unreachable',
        'The provider ended its reply with an error before it said anything.',
      );
    const finished = reason === 'stop' || reason === 'other' || reason === 'tool-calls';
    const said = reason === 'tool-calls' ? 'stop' : reason;
    return {
      type: 'finish',
      finishReason: this.#calls.size > 0 && finished ? 'tool-calls' : said,
      usage: this.#usage,
      content: this.#content.filter(
        (part) => part.type !== 'text' || part.text !== '' || part.providerOptions,
      ),
    };
  }

  #block(
    type: 'text' | 'reasoning',
    id: string,
    delta: string,
    metadata: SharedV4ProviderMetadata | undefined,
  ): string {
    const text = this.#measured(delta);
    const key = `${type} ${id}`;
    const known = this.#blocks.get(key);
    const block: TextPart | ReasoningPart = known ?? { type, text: '' };
    if (!known) {
      this.#blocks.set(key, block);
      this.#content.push(block);
    }
    block.text += text;
    if (metadata) block.providerOptions = metadata;
    return text;
  }

  /** What lies at an address would be fetched past the guarded way out. */
  #file({ data, mediaType, providerMetadata }: LanguageModelV4File): void {
    if (data.type !== 'data') return;
    const base64 = typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
    this.#measured(base64);
    this.#content.push({ type: 'file', data: base64, mediaType, ...providerOptions(providerMetadata) });
  }

  #call(part: LanguageModelV4ToolCall): (ModelPart & { type: 'tool-call' }) | undefined {
    // A model that calls a tool where it may not: the call is withheld, what it said besides counts.
    if (!this.#mayCall || part.providerExecuted) return undefined;
    const { toolCallId, toolName } = part;
    if (!this.#toolNames.has(toolCallId)) this.#measured(part.input);
    const parsed = parseArguments(part.input);
    const callId = this.#newCallId(
      toolCallId,
      JSON.stringify([toolName, 'input' in parsed ? parsed.input : part.input]),
    );
    if (callId === null) return undefined;
    this.#content.push({
      type: 'tool-call',
      toolCallId: callId,
      toolName,
      // Providers refuse arguments that are not an object.
      input: 'input' in parsed && isJsonObject(parsed.input) ? parsed.input : {},
      ...providerOptions(part.providerMetadata),
    });
    return { type: 'tool-call', callId, toolName, input: undefined, ...parsed };
  }

  /** A call that comes twice is one; another call under the same id gets one that differs. */
  #newCallId(toolCallId: string, call: string): string | null {
    for (let time = 1; time <= maxCallsOfOneId; time += 1) {
      const callId = time === 1 ? toolCallId : `${toolCallId} ${time}`;
      const known = this.#calls.get(callId);
      if (known === call) return null;
      if (known !== undefined) continue;
      this.#calls.set(callId, call);
      return callId;
    }
    return null;
  }

  #measured(text: string): string {
    this.#characters += text.length;
    if (this.#characters > maxCharacters) throw new ModelError('malformed', 'The reply is larger than 8 MB.');
    return text.includes('\0') ? text.replaceAll('\0', '') : text;
  }
}

const isSilent = (part: AssistantPart): boolean =>
  part.type === 'reasoning' || (part.type === 'text' && part.text === '');

/** Null for a reply that was cut short, which some providers call `other` and have no word of their own for. */
function reasonOf({ unified, raw }: LanguageModelV4FinishReason): FinishReason | null {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined) ? null : unified;
}

const noJson = 'The arguments are not JSON.';
/** It may be an id, and a rounded one names another thing. */
const tooLongNumber = 'A whole number has too many digits to be exact. Give it as a text, if it may be one.';

/** What is no JSON, or reaches for a prototype, is an error. Some providers leave out arguments that are empty. */
function parseArguments(input: string): { input: unknown } | { inputError: string } {
  if (input.trim() === '') return { input: {} };
  try {
    const parsed: unknown = secureJsonParse(input);
    return withLongNumbersAsTexts(input) === input ? { input: parsed } : { inputError: tooLongNumber };
  } catch {
    return { inputError: noJson };
  }
}

const providerOptions = (metadata: SharedV4ProviderMetadata | undefined) =>
  metadata ? { providerOptions: metadata } : {};

/** No reply has more: a provider that says so is not believed, and what was used is estimated. */
const maxTokens = 1_000_000_000;

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage => {
  const counts = {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => isCount(count)));
};

const isCount = (count: number | undefined): boolean =>
  Number.isSafeInteger(count) && count! >= 0 && count! <= maxTokens;
