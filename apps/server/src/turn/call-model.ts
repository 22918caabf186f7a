import type { Usage } from '@parley/protocol/event';
import type { ModelCall, ModelPart } from '../model/model.ts';
import { bytesPerToken } from '../limit/text-tokens.ts';
import type { TurnContext } from './context.ts';

/**
 * Makes a model call that the agent has tokens for, and has what it used counted however it ends. A provider tells what
 * a call used with its last part; of a call that was cut off, and where nothing is told, an estimate counts. What `take`
 * answers ends the call and is the result; null when the model ended it first.
 */
export async function callModel<T>(
  { model, tokens }: Pick<TurnContext, 'model' | 'tokens'>,
  call: ModelCall,
  estimatePrompt: () => number,
  take: (part: ModelPart) => T | undefined,
): Promise<T | null> {
  await tokens.admitCall();
  let usage: Usage | null = null;
  let received = 0;
  try {
    for await (const part of model.stream(call)) {
      if (part.type === 'finish') ({ usage } = part);
      else received += tokensIn(part);
      const result = take(part);
      if (result !== undefined) return result;
    }
    return null;
  } finally {
    // A provider that refused the call or was not reached before it said anything has used nothing.
    if (usage !== null || received > 0 || call.signal.aborted)
      tokens.add(usage?.inputTokens ?? estimatePrompt(), usage?.outputTokens ?? Math.ceil(received));
  }
}

/** Not rounded up: a part may be a syllable. */
function tokensIn(part: Exclude<ModelPart, { type: 'finish' }>): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return Buffer.byteLength(part.text) / bytesPerToken;
    case 'tool-input':
      return Buffer.byteLength(part.delta) / bytesPerToken;
    case 'tool-call':
      return 0;
  }
}
