import type { ModelMessage, UserContent } from 'ai';
import type { ModelCall } from '../model/model.ts';
import type { MessageBody } from '../session/item.ts';
import type { SessionState } from '../session/state.ts';
import { tokensOf } from '../session/token-reservation.ts';
import type { Store } from '../store/store.ts';
import type { HistoryMessage, TurnContext } from './context.ts';

const storedFile = 'parley-file:';

/** What the model reads of a message. Files are named by id here and filled in when the prompt is built. */
function userMessage({ text, modelText, parts, fileIds }: MessageBody): ModelMessage {
  if (parts.every(({ type }) => type === 'text')) return { role: 'user', content: modelText ?? text };
  const ids = [...fileIds];
  const content: Exclude<UserContent, string> = [];
  for (const part of parts) {
    const id = part.type === 'file' && part.size !== undefined ? ids.shift() : undefined;
    if (part.type === 'file' && id) {
      const file = { type: 'file' as const, mediaType: part.mediaType, data: `${storedFile}${id}` };
      content.push(part.filename === undefined ? file : { ...file, filename: part.filename });
    } else {
      content.push({
        type: 'text',
        text:
          part.type === 'text'
            ? part.text
            : `[file: ${part.filename ?? part.mediaType} (${part.mediaType}) at ${part.url}]`,
      });
    }
  }
  return { role: 'user', content };
}

/** What a turn adds to the history: what the page told about itself, then the message. */
export function askedIn(
  turn: number,
  context: readonly string[],
  message: MessageBody | null,
): HistoryMessage[] {
  const messages = context.map((entry): ModelMessage => ({
    role: 'user',
    content: `Client context:\n${entry}`,
  }));
  if (message) messages.push(userMessage(message));
  return messages.map((said) => ({ turn, message: said }));
}

/** The messages of a prompt: the summary of what was compacted, then every turn that still counts. Files are named, not included. */
export function promptMessages({ state, history }: Pick<TurnContext, 'state' | 'history'>): ModelMessage[] {
  const turns = currentHistory(state, history).map(({ message }) => message);
  if (!state.summary || state.summary.through <= state.clearedThrough) return turns;
  return [{ role: 'user', content: `Summary of the conversation so far:\n${state.summary.text}` }, ...turns];
}

/** The messages the model is called with. */
export function buildPrompt(
  context: Pick<TurnContext, 'store' | 'state' | 'history'>,
): Promise<ModelMessage[]> {
  return Promise.all(promptMessages(context).map((message) => withFiles(context.store, message)));
}

export function currentHistory(
  state: SessionState,
  history: readonly HistoryMessage[],
): readonly HistoryMessage[] {
  const after = Math.max(state.clearedThrough, state.summary?.through ?? -1);
  return after < 0 ? history : history.filter(({ turn }) => turn > after);
}

/** About how many tokens the words of a prompt take: four characters of JSON each. What a file takes is the provider's to say. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return Math.ceil(JSON.stringify(messages).length / 4);
}

/** The same of a whole call. Files are left out: what they take is the provider's to say. */
export function estimatePrompt(
  context: Pick<TurnContext, 'state' | 'history'>,
  { instructions, tools }: Pick<ModelCall, 'instructions' | 'tools'>,
): number {
  return estimateTokens(promptMessages(context)) + tokensOf(`${instructions ?? ''}${JSON.stringify(tools)}`);
}

async function withFiles(store: Store, message: ModelMessage): Promise<ModelMessage> {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const content: Exclude<UserContent, string> = [];
  for (const part of message.content) {
    if (part.type !== 'file' || typeof part.data !== 'string' || !part.data.startsWith(storedFile)) {
      content.push(part);
      continue;
    }
    const file = await store.file(part.data.slice(storedFile.length));
    if (file) content.push({ ...part, data: Buffer.from(file.bytes).toString('base64') });
    else content.push({ type: 'text', text: '[This file is no longer stored.]' });
  }
  return { role: 'user', content };
}
