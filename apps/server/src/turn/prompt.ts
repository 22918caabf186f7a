import { setImmediate } from 'node:timers/promises';
import type { ModelMessage, UserContent } from 'ai';
import type { MessageBody } from '../session/item.ts';
import type { SessionState } from '../session/state.ts';
import { type FileRecord, type FileStore, fileChunkBytes } from '../store/file-store.ts';
import type { Store } from '../store/store.ts';
import type { HistoryMessage, TurnContext } from './context.ts';

const storedFile = 'parley-file:';
/** Bytes of all files of one prompt: more than those of the largest message. */
const maxPromptFileBytes = 16 * 1024 * 1024;

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

/** The messages the model is called with. The newest files are in it, up to a bound; older ones are named. */
export async function buildPrompt(
  context: Pick<TurnContext, 'store' | 'state' | 'history'>,
): Promise<ModelMessage[]> {
  const prompt: ModelMessage[] = [];
  let room = maxPromptFileBytes;
  for (const message of promptMessages(context).toReversed()) {
    const { filled, bytes } = await withFiles(context.store, message, room);
    room -= bytes;
    prompt.push(filled);
  }
  return prompt.toReversed();
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

async function withFiles(
  store: Store,
  message: ModelMessage,
  room: number,
): Promise<{ filled: ModelMessage; bytes: number }> {
  if (message.role !== 'user' || typeof message.content === 'string') return { filled: message, bytes: 0 };
  const content: Exclude<UserContent, string> = [];
  let bytes = 0;
  for (const part of message.content) {
    if (part.type !== 'file' || typeof part.data !== 'string' || !part.data.startsWith(storedFile)) {
      content.push(part);
      continue;
    }
    const file = await store.files.get(part.data.slice(storedFile.length), Date.now());
    if (!file) content.push({ type: 'text', text: '[This file is no longer stored.]' });
    else if (bytes + file.size > room) {
      const text = `[file: ${file.filename ?? file.mediaType} (${file.mediaType}), too long ago to be read again]`;
      content.push({ type: 'text', text });
    } else {
      bytes += file.size;
      // Untagged, the AI SDK parses it as an address first: 10 MiB hold the event loop for 200 ms.
      content.push({ ...part, data: { type: 'data', data: await readBase64(store.files, file) } });
    }
  }
  return { filled: { role: 'user', content }, bytes };
}

/** In pieces, between which other sessions have their turn. */
async function readBase64(files: FileStore, { id, size }: FileRecord): Promise<string> {
  let base64 = '';
  for (let number = 0; number * fileChunkBytes < size; number += 1) {
    const chunk = await files.chunk(id, number);
    // The session was removed, and this turn with it.
    if (!chunk) break;
    base64 += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64');
    await setImmediate();
  }
  return base64;
}
