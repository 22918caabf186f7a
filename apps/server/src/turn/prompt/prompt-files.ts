import { setImmediate } from 'node:timers/promises';
import type { FilePart, Message, UserMessage, UserPart } from '../../model/message.ts';
import { type FileRecord, type FileStore, fileChunkBytes } from '../../store/file-store.ts';
import type { Store } from '../../store/store.ts';
import type { HistoryMessage } from '../context.ts';
import { fileTokens } from './estimate-tokens.ts';
import { storedFileOf } from './stored-file.ts';

/** Turns before the current one whose files the model still gets: questions about a picture come right after it. */
const turnsWithFiles = 3;
/** Bytes of files in one prompt; those of the newest messages first. */
const maxFileBytes = 16 * 1024 * 1024;

/** Stands behind the name of a file that is not sent for want of room. */
export const leftOut = ', left out: too long for the model';

/** The entries of a prompt, where files of old turns, and what is too much of them, have become their names. */
export function nameOldFiles(entries: readonly HistoryMessage[], currentTurn: number): HistoryMessage[] {
  const recent = new Set(
    [...new Set(entries.map(({ turn }) => turn).filter((turn) => turn < currentTurn))].slice(-turnsWithFiles),
  );
  let left = maxFileBytes;
  const takes = (turn: number, part: FilePart): boolean => {
    if (turn < currentTurn && !recent.has(turn)) return false;
    left -= storedFileOf(part.data)?.size ?? 0;
    return left >= 0;
  };
  return entries
    .toReversed()
    .map((entry) => withNames(entry, (part) => takes(entry.turn, part)))
    .toReversed();
}

/** The entries with the names of the files for each of which alone there is no room: no summary of what was said makes any. */
export function nameTooLarge(entries: readonly HistoryMessage[], tokens: number): HistoryMessage[] {
  return entries.map((entry) => withNames(entry, (part) => fileTokens(part) <= tokens, leftOut));
}

/** The entry with the name of each file that is not taken. The very same entry where every file is. */
export function withNames(
  entry: HistoryMessage,
  takes: (part: FilePart) => boolean,
  why = '',
): HistoryMessage {
  const { message } = entry;
  if (!hasFiles(message)) return entry;
  const content = message.content.map((part): UserPart => {
    if (part.type !== 'file' || storedFileOf(part.data) === null || takes(part)) return part;
    return { type: 'text', text: `[file: ${part.filename ?? part.mediaType} (${part.mediaType})${why}]` };
  });
  const same = content.every((part, index) => part === message.content[index]);
  return same ? entry : { ...entry, message: { role: 'user', content } };
}

/** The messages with the bytes of the files that they name. */
export async function withFiles(store: Store, messages: readonly Message[]): Promise<Message[]> {
  const filledIn: Message[] = [];
  for (const message of messages) filledIn.push(hasFiles(message) ? await filled(store, message) : message);
  return filledIn;
}

type MessageWithParts = UserMessage & { readonly content: readonly UserPart[] };

export function hasFiles(message: Message): message is MessageWithParts {
  return (
    message.role === 'user' &&
    typeof message.content !== 'string' &&
    message.content.some(({ type }) => type === 'file')
  );
}

async function filled(store: Store, message: MessageWithParts): Promise<Message> {
  const content: UserPart[] = [];
  for (const part of message.content) {
    content.push(part.type === 'file' ? await filledPart(store, part) : part);
  }
  return { role: 'user', content };
}

async function filledPart(store: Store, part: FilePart): Promise<UserPart> {
  const named = storedFileOf(part.data);
  if (named === null) return part;
  const file = await store.files.get(named.id);
  if (!file) return { type: 'text', text: '[This file is no longer stored.]' };
  return { ...part, data: await readBase64(store.files, file) };
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
