import { dayMs } from '../../store/day-ms.ts';
import { ModelError } from '../../model/model-error.ts';
import { knownWindow } from '../../model/known-window.ts';
import type { OfferedTool } from '../../model/model.ts';
import { textTokens } from '../../limit/text-tokens.ts';
import { openTurn } from '../../session/state/phase.ts';
import type { TurnContext } from '../context.ts';
import { offeredTools } from '../offered-tools.ts';

/** A learned window is found out afresh after this: the model behind an id, or behind an address, may have grown. */
const learnedForMs = dayMs;
/** Prompts up to here are sent without a look at what was learned: no model takes less. */
const minTokens = 1_000;
/** Left for the answer, where the agent does not say how long one may be. */
const answerTokens = 8_000;

/** How many tokens a prompt of this turn may have: what the agent's settings say, or the model is known to take, or was found to take. */
export async function contextWindow(context: TurnContext, promptTokens: number): Promise<number> {
  const { store, agent, model } = context;
  const known = agent.settings.contextTokens ?? knownWindow(agent.settings.model);
  if (promptTokens <= minTokens) return known;
  const learned = await store.getContextWindow({ agentId: agent.id, modelId: model.id });
  return Math.min(known, learned ?? known);
}

/** A prompt that was refused as too long. */
interface RefusedPrompt {
  readonly error: ModelError;
  /** Tokens that it was estimated at. */
  readonly tokens: number;
  /** Whether the estimate includes files, for which it is a guess. */
  readonly hasFiles: boolean;
}

/**
 * How many tokens the next try may have, and for every turn of the agent what was learned: the limit that the provider
 * names, else three quarters of what was refused. Of a prompt with files nothing is concluded for others: a visitor's
 * document may take any number of tokens.
 */
export async function learnContextWindow(
  { store, agent, model }: TurnContext,
  { error, tokens, hasFiles }: RefusedPrompt,
): Promise<number> {
  const told = error.contextTokens;
  const shorter = Math.floor(tokens * 0.75);
  if (told !== undefined || !hasFiles) {
    await store.saveContextWindow({
      agentId: agent.id,
      modelId: model.id,
      tokens: Math.max(minTokens, told ?? shorter),
      ttlMs: learnedForMs,
    });
  }
  return Math.max(minTokens, Math.min(told ?? shorter, shorter));
}

export function isTooLong(error: unknown): error is ModelError {
  return error instanceof ModelError && error.kind === 'too-long';
}

/** What a prompt holds beside its messages: instructions, tools, and the schema of the reply. */
export function fixedTokens(context: TurnContext): number {
  const { agent, state } = context;
  const outputSchema = openTurn(state)?.outputSchema;
  const schema = outputSchema ? JSON.stringify(outputSchema) : '';
  return textTokens(agent.settings.instructions) + toolTokens(context) + textTokens(schema);
}

/** A set of tools is written out once, not at every step. */
const knownTools = new WeakMap<readonly OfferedTool[], number>();

function toolTokens(context: TurnContext): number {
  const { offered } = offeredTools(context);
  const known = knownTools.get(offered) ?? textTokens(JSON.stringify(offered));
  knownTools.set(offered, known);
  return known;
}

/**
 * How many of a window's tokens the messages may have: the rest holds what is fixed, and the answer. At least half of
 * it, or a long list of tools would have every turn summarised.
 */
export function messageTokens({ agent }: TurnContext, window: number, fixed: number): number {
  const { maxOutputTokens, contextTokens } = agent.settings;
  // Who sets `contextTokens` says what a prompt may have, not what the model takes with its answer.
  const answer = window === contextTokens ? 0 : Math.min(maxOutputTokens ?? answerTokens, window / 4);
  return Math.floor(Math.max(window - answer - fixed, window / 2));
}
