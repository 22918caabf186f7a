import { searchToolName } from '@parley/protocol/search-tool';
import { ModelError } from '../model/model-error.ts';
import type { Turn } from '../session/state/phase.ts';
import { type TurnContext, turnAt } from './context.ts';
import { callWithinWindow } from './prompt/call-within-window.ts';
import { estimateTokens } from './prompt/estimate-tokens.ts';
import { nameOldFiles, withNames } from './prompt/prompt-files.ts';
import { promptEntries } from './prompt/prompt.ts';
import { type ModelReply, runModelStep } from './run-model-step.ts';
import { TokensUsedUpError } from './token-budget.ts';

/** What the model says in the current step; where it cannot answer, what the agent's fallback says instead. */
export async function modelReply(context: TurnContext, turn: Turn): Promise<ModelReply> {
  if (context.standIn) return standInReply(context, turn);
  context.hasSpoken = false;
  try {
    return await callWithinWindow(context, turnAt(turn.sequence), (prompt) =>
      runModelStep(context, turn.sequence, turn.stepIndex, prompt),
    );
  } catch (error) {
    if (!mayStandIn(context, turn, error)) throw error;
    const of = { sessionId: context.session.id, modelId: context.model.id };
    context.logger.warn({ err: error, ...of }, 'a model could not answer; the fallback of its agent does');
    context.standIn = context.fallback;
    return standInReply(context, turn);
  }
}

/**
 * What was said cannot be taken back, and JSON cannot be quoted. Once a tool has done something, an answer that knows
 * nothing of it would leave the visitor in the dark: that turn fails, so that they are told that something is open.
 */
function mayStandIn({ fallback, signal, hasSpoken, history }: TurnContext, turn: Turn, error: unknown) {
  if (fallback === null || signal.aborted || hasSpoken || turn.outputSchema !== null) return false;
  if (!(error instanceof ModelError || error instanceof TokensUsedUpError)) return false;
  return !history.some(
    ({ turn: at, message }) =>
      at >= turn.wholeFrom &&
      message.role === 'assistant' &&
      typeof message.content !== 'string' &&
      message.content.some((part) => part.type === 'tool-call' && part.toolName !== searchToolName),
  );
}

/** It reads the current turn alone: nothing of the conversation is summarised for it. */
function standInReply(context: TurnContext, turn: Turn): Promise<ModelReply> {
  const entries = promptEntries(context).filter(({ turn: at }) => at >= turn.wholeFrom);
  const messages = nameOldFiles(entries, turn.wholeFrom).map(
    (entry) => withNames(entry, () => false).message,
  );
  const tokens = estimateTokens(messages);
  return runModelStep(context, turn.sequence, turn.stepIndex, { messages, tokens });
}
