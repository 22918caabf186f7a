import { setTimeout as elapsed } from 'node:timers/promises';
import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { DeltaBuffer } from './delta-buffer.ts';
import { classifyError } from './classify-error.ts';
import { ModelError } from './model-error.ts';
import type { Message } from './message.ts';
import type { Model, ModelCall, ModelPart } from './model.ts';
import type { ModelTiming } from './model-timing.ts';
import { readTextFiles } from './read-text-files.ts';
import { listenToBytes } from './received-bytes.ts';
import { ResponseAssembler } from './response-assembler.ts';
import { toPrompt } from './to-prompt.ts';

type CallSettings = Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'temperature' | 'reasoning'>;

export interface AiSdkModel {
  readonly model: LanguageModelV4;
  readonly settings: CallSettings;
  readonly providerOptions?: SharedV4ProviderOptions;
  readonly showReasoning: boolean;
  /** Absent for a model that runs in this process: it may pause as long as it likes, and each delta stays a part. */
  readonly timing?: ModelTiming;
}

const maxAttempts = 3;
/** For so long a provider may send nothing else. */
const maxSignsOfLifeMs = 300_000;

/** A `Model` on a language model of the AI SDK. */
export const aiSdkModel = (options: AiSdkModel): Model => ({
  id: options.model.modelId,
  async *stream(call) {
    const budget = options.timing?.retryBudget ?? 0;
    const startedAt = performance.now();
    for (let attempts = 1; ; attempts++) {
      let started = false;
      try {
        for await (const part of attempt(options, call, budget - (performance.now() - startedAt))) {
          started ||= part.type !== 'hidden';
          yield part;
        }
        return;
      } catch (error) {
        call.signal.throwIfAborted();
        const failure = classifyError(error, Date.now());
        const pause = failure.retryAfter ?? Math.random() * 2 ** attempts * (options.timing?.backoff ?? 0);
        const left = budget - (performance.now() - startedAt) - pause;
        // Half a reply cannot be taken back: nobody may call again for it with a shorter prompt.
        if (started && failure.error.kind === 'too-long')
          throw new ModelError('refused', failure.error.message, { cause: error });
        if (started || !failure.retry || attempts === maxAttempts || left <= 0) throw failure.error;
        await elapsed(pause, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted());
        yield { type: 'again' };
      }
    }
  },
});

async function* attempt(options: AiSdkModel, call: ModelCall, budget: number): AsyncGenerator<ModelPart> {
  const { timing } = options;
  const controller = new AbortController();
  const forward = () => controller.abort(call.signal.reason);
  if (call.signal.aborted) forward();
  call.signal.addEventListener('abort', forward, { once: true });
  const watch = (milliseconds: number) =>
    setTimeout(
      () => controller.abort(new ModelError('stalled', 'The provider stopped answering.')),
      milliseconds,
    );
  let watchdog = timing && watch(Math.min(timing.firstChunk, budget));
  const watchFor = (milliseconds: number) => {
    clearTimeout(watchdog);
    watchdog = watch(milliseconds);
  };
  let partAt = performance.now();
  // A provider that thinks may send nothing but signs of life, of which no part is made.
  const unlisten = listenToBytes(controller.signal, () => {
    if (performance.now() - partAt < maxSignsOfLifeMs) watchdog?.refresh();
  });
  const held = new DeltaBuffer();
  let answers = false;
  let finished = false;
  try {
    controller.signal.throwIfAborted();
    const { stream } = await options.model.doStream({
      ...request(call, timing !== undefined),
      ...options.settings,
      ...(options.providerOptions && { providerOptions: options.providerOptions }),
      abortSignal: controller.signal,
    });
    const reader = stream.getReader();
    // A read that waits ends here even where the provider does not listen to the signal.
    controller.signal.addEventListener(
      'abort',
      () => void reader.cancel(controller.signal.reason).catch(ignored),
    );
    const reply = new ResponseAssembler(options.showReasoning, call.toolChoice);
    for (let chunks = 0; ; chunks++) {
      const reading = reader.read();
      if (!held.isEmpty()) {
        // It may fail while the held part is being consumed; it is awaited, and the failure seen, after that.
        reading.catch(ignored);
        if ((await Promise.race([reading, held.turn])) === undefined) yield held.take()!;
      }
      const { done, value } = await reading;
      controller.signal.throwIfAborted();
      if (done) break;
      partAt = performance.now();
      if (chunks === 0 && timing) watchFor(timing.firstPart);
      else watchdog?.refresh();
      const part = reply.add(value);
      if (!part) continue;
      if (timing && !answers && part.type !== 'hidden') {
        answers = true;
        watchFor(timing.stall);
      }
      if (timing && held.add(part)) continue;
      const before = held.take();
      if (before) yield before;
      if (!(timing && held.add(part))) yield part;
    }
    const last = held.take();
    if (last) yield last;
    finished = true;
    yield reply.finish();
  } catch (error) {
    const said = held.take();
    if (said) yield said;
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(watchdog);
    unlisten();
    call.signal.removeEventListener('abort', forward);
    if (!finished) controller.abort();
  }
}

/** Few providers go on after a message of the model's own: most start again, some refuse. */
const goOn =
  'Your last message was cut off by an interruption. Go on exactly where it stops, without repeating anything and without saying that you were interrupted.';

const forProvider = (messages: readonly Message[]): readonly Message[] => {
  const read = readTextFiles(messages);
  return read.at(-1)?.role === 'assistant' ? [...read, { role: 'user', content: goOn }] : read;
};

const request = (
  { instructions, messages, tools, toolChoice, outputSchema }: ModelCall,
  remote: boolean,
): LanguageModelV4CallOptions => ({
  prompt: toPrompt(instructions, remote ? forProvider(messages) : messages),
  // The embedded model follows its script with whatever tools it is given.
  ...(tools.length > 0 &&
    (remote || toolChoice !== 'none') && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        inputSchema: parameters as JSONSchema7,
      })),
      toolChoice: { type: toolChoice ?? 'auto' },
    }),
  ...(outputSchema && { responseFormat: { type: 'json', schema: outputSchema as JSONSchema7 } }),
});

const ignored = () => undefined;
