import type { Message } from '../../model/message.ts';
import { ModelError } from '../../model/model-error.ts';
import { plainMessage, summaryCall } from '../../model/summarise.ts';
import { bytesPerToken } from '../../limit/text-tokens.ts';
import { callModel } from '../call-model.ts';
import { isTooLong, learnContextWindow } from './context-window.ts';
import type { TurnContext } from '../context.ts';
import { cutText } from './cut-text.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { currentHistory, summaryMessage } from './prompt.ts';

/** Model calls that one summary may take. What would need more is left out, from the oldest on. */
const maxCalls = 8;
const maxSummaryBytes = 16_384;
const minSummaryBytes = 1_000;
/** A call for a summary has at least this many tokens of messages, however little the model takes. */
const minCallTokens = 500;
/** Of its instructions. */
const instructionTokens = 150;

/**
 * A summary of the conversation through a turn, in calls that fit into the window: every one goes on with the summary
 * that the one before it wrote.
 */
export async function summariseHistory(
  context: TurnContext,
  through: number,
  window: number,
): Promise<string> {
  try {
    return await summarise(context, through, window);
  } catch (error) {
    if (!isTooLong(error)) throw error;
    const learned = await learnContextWindow(context, { error, tokens: window, hasFiles: false });
    return summarise(context, through, Math.min(learned, window));
  }
}

async function summarise(context: TurnContext, through: number, window: number): Promise<string> {
  const { state, history } = context;
  const maxBytes = Math.min(
    maxSummaryBytes,
    Math.max(minSummaryBytes, Math.floor((window * bytesPerToken) / 8)),
  );
  // Beside the messages: what a call of this kind always holds, the summary so far, and the one that is written.
  const taken = instructionTokens + (2 * maxBytes) / bytesPerToken;
  const room = Math.max(minCallTokens, Math.floor(window - taken));
  const turns = currentHistory(state, history).filter(({ turn }) => turn <= through);
  const calls = inCalls(
    turns.map(({ message }) => message),
    room,
  );
  const left = calls.length - maxCalls;
  const earlier = state.summary && state.summary.through > state.clearedUpTo ? state.summary.text : '';
  let text = left > 0 ? `${earlier}\n[Some of what was said after this is left out.]` : earlier;
  for (const messages of calls.slice(-maxCalls)) {
    const before = text === '' ? [] : [summaryMessage(text)];
    text = cutText(await written(context, [...before, ...messages]), maxBytes);
  }
  return text;
}

/** The messages as text, in groups of at most `room` tokens each. */
function inCalls(messages: readonly Message[], room: number): Message[][] {
  const groups: Message[][] = [];
  let group: Message[] = [];
  let size = 0;
  for (const message of messages) {
    const { role, content } = plainMessage(message);
    const plain = { role, content: cutText(content, (room * bytesPerToken) / 2) };
    const tokens = estimateTokens([plain]);
    if (group.length > 0 && size + tokens > room) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(plain);
    size += tokens;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

async function written(context: TurnContext, messages: readonly Message[]): Promise<string> {
  const { model, signal } = context;
  let text = '';
  const call = summaryCall(messages, signal);
  const estimatePrompt = () => estimateTokens(call.messages);
  await callModel(context, call, estimatePrompt, (part) => {
    if (part.type === 'text') text += part.text;
    return undefined;
  });
  if (text.trim() === '') throw new ModelError('malformed', `The model ${model.id} wrote an empty summary.`);
  return text;
}
