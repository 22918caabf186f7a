import { randomUUID } from 'node:crypto';
import { setTimeout as elapsed, setImmediate as nextTurn } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { ModelError } from './model-error.ts';
import { textOf } from './scripted/conversation.ts';
import type { Action } from './scripted/perform.ts';
import { countWords, words } from './scripted/words.ts';

/**
 * A model of this process that needs no network. What it does is a function of the prompt and the offered tools alone, so
 * a call made again after a crash goes on right after what the prompt holds of it. Only the ids of its tool calls are
 * random.
 */
export const embeddedModel = (
  provider: string,
  modelId: string,
  actionsOf: (options: LanguageModelV4CallOptions) => Iterable<Action>,
): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider,
  modelId,
  supportedUrls: { '*/*': [/.*/] },
  doGenerate: () => Promise.reject(new Error('The embedded model only streams.')),
  doStream: async (options) => ({ stream: streamOf(partsOf(actionsOf(options), options)) }),
});

async function* partsOf(
  actions: Iterable<Action>,
  options: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const pause = (milliseconds: number) => elapsed(milliseconds, undefined, { signal: options.abortSignal });
  let finishReason: 'stop' | 'length' | 'content-filter' | 'tool-calls' = 'stop';
  let blocks = 0;
  let parts = 0;
  let open: { kind: 'text' | 'reasoning'; id: string } | undefined;
  const said = { text: 0, reasoning: 0 };

  yield { type: 'stream-start', warnings: [] };
  for (const action of actions) {
    if (open && action.kind !== 'wait' && action.kind !== open.kind) {
      yield { type: `${open.kind}-end`, id: open.id };
      open = undefined;
    }
    switch (action.kind) {
      case 'text':
      case 'reasoning': {
        let first = true;
        for (const delta of deltasOf(action)) {
          if (!open) {
            open = { kind: action.kind, id: String(blocks++) };
            yield { type: `${open.kind}-start`, id: open.id };
          }
          if (action.delayMs > 0 && !first) await pause(action.delayMs);
          // Without a turn of the event loop now and then, a long text could not be aborted.
          else if (++parts % 256 === 0) await nextTurn(undefined, { signal: options.abortSignal });
          first = false;
          said[open.kind] += countWords(delta);
          yield { type: `${open.kind}-delta`, id: open.id, delta };
        }
        break;
      }
      case 'call':
        finishReason = 'tool-calls';
        yield* toolCall(action.toolName, JSON.stringify(action.input));
        break;
      case 'wait':
        await pause(action.milliseconds);
        break;
      case 'fail':
        throw new ModelError('refused', action.message);
      case 'finish':
        finishReason = action.finishReason;
        break;
    }
  }
  if (open) yield { type: `${open.kind}-end`, id: open.id };
  const inputWords = options.prompt.reduce((sum, message) => sum + countWords(textOf(message)), 0);
  yield {
    type: 'finish',
    finishReason: { unified: finishReason, raw: undefined },
    usage: {
      inputTokens: { total: inputWords, noCache: inputWords, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: said.text + said.reasoning, ...said },
    },
  };
}

function* toolCall(toolName: string, input: string): Generator<LanguageModelV4StreamPart> {
  const id = `call_${randomUUID().replaceAll('-', '')}`;
  yield { type: 'tool-input-start', id, toolName };
  yield { type: 'tool-input-delta', id, delta: input };
  yield { type: 'tool-input-end', id };
  yield { type: 'tool-call', toolCallId: id, toolName, input };
}

/** Word by word what is left to say. */
function* deltasOf({ text, repeat, alreadySaid }: Extract<Action, { repeat: number }>): Generator<string> {
  if (text === '') return;
  let skipped = alreadySaid % text.length;
  for (let round = Math.floor(alreadySaid / text.length); round < repeat; round++) {
    yield* words(text.slice(skipped));
    skipped = 0;
  }
}

const streamOf = (
  parts: AsyncGenerator<LanguageModelV4StreamPart>,
): ReadableStream<LanguageModelV4StreamPart> =>
  new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
