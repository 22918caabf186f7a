import { setImmediate } from 'node:timers/promises';
import type { Usage } from '@parley/protocol/event';
import type { AnswerPart, ModelCall, ModelPart } from '../model/model.ts';
import { bytesPerToken } from '../limit/text-tokens.ts';
import { ModelError } from '../model/model-error.ts';
import { attribute, operation, providerName } from '../trace/semantic-conventions.ts';
import type { Attributes } from '../trace/span.ts';
import type { TurnContext } from './context.ts';
import { TextPauses, textPieces } from './text-pieces.ts';

/**
 * Makes a model call that the agent has tokens for, and has what it used counted however it ends. A provider tells what
 * a call used with its last part; of a call that was cut off, and where nothing is told, an estimate counts. What `take`
 * answers ends the call and is the result; null when the model ended it first. What stands in for the model uses none.
 */
export async function callModel<T>(
  {
    model,
    standIn,
    tokens,
    span: turn,
    agent,
  }: Pick<TurnContext, 'model' | 'standIn' | 'tokens' | 'span' | 'agent'>,
  call: ModelCall,
  estimatePrompt: () => number,
  take: (part: AnswerPart) => T | undefined,
): Promise<T | null> {
  if (!standIn) await tokens.admitCall();
  const span = standIn
    ? undefined
    : turn?.start(`${operation.model} ${model.id}`, 'client', {
        [attribute.operation]: operation.model,
        [attribute.provider]: providerName(agent.settings.model.provider),
        [attribute.requestModel]: model.id,
      });
  let errorType: string | undefined;
  let usage: Usage | null = null;
  let received = 0;
  const pauses = new TextPauses();
  const count = () => {
    if (!standIn)
      tokens.add(usage?.inputTokens ?? estimatePrompt(), usage?.outputTokens ?? Math.ceil(received));
  };
  try {
    for await (const part of (standIn ?? model).stream(call)) {
      if (part.type === 'again') {
        if (received > 0) count();
        received = 0;
        continue;
      }
      if (part.type === 'finish') {
        ({ usage } = part);
        span?.set(finishAttributes(part));
      } else received += tokensIn(part);
      if (part.type === 'hidden') continue;
      if (part.type === 'text') {
        for (const text of textPieces(part.text)) {
          const result = take({ type: 'text', text });
          if (result !== undefined) return result;
          if (!pauses.isDue(text)) continue;
          await setImmediate();
          call.signal.throwIfAborted();
        }
        continue;
      }
      const result = take(part);
      if (result !== undefined) return result;
    }
    return null;
  } catch (error) {
    errorType = error instanceof ModelError ? error.kind : call.signal.aborted ? 'aborted' : 'internal';
    throw error;
  } finally {
    span?.end(errorType);
    // A provider that refused the call or was not reached before it said anything has used nothing.
    if (usage !== null || received > 0 || call.signal.aborted) count();
  }
}

function finishAttributes({ usage, finishReason }: Extract<ModelPart, { type: 'finish' }>): Attributes {
  const { inputTokens, outputTokens } = usage;
  return {
    [attribute.finishReasons]: [finishReason],
    ...(inputTokens !== undefined && { [attribute.inputTokens]: inputTokens }),
    ...(outputTokens !== undefined && { [attribute.outputTokens]: outputTokens }),
  };
}

/** Not rounded up: a part may be a syllable. */
function tokensIn(part: Exclude<ModelPart, { type: 'finish' | 'again' }>): number {
  switch (part.type) {
    case 'hidden':
      return part.bytes / bytesPerToken;
    case 'text':
    case 'reasoning':
      return Buffer.byteLength(part.text) / bytesPerToken;
    case 'tool-input':
      return Buffer.byteLength(part.delta) / bytesPerToken;
    case 'tool-call':
      return 0;
  }
}
