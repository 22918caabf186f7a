import type { MessagePart } from '@parley/protocol/event';
import type { FileData, FilePart } from '@parley/protocol/file-part';
import type { TextPart } from '@parley/protocol/user-message';
import { type FileStore, fileChunkBytes } from '../store/file-store.ts';
import type { Limited } from '../store/limit-store.ts';
import type { MessageBody } from './queue-item.ts';
import { type FileOwner, type FileQuotas, storeFile } from './store-file.ts';

/** A part whose file is known: by its bytes, by an address, or as one that was uploaded before. */
export type ResolvedPart =
  | TextPart
  | (Omit<FilePart, 'data'> & { data: FileData | { kind: 'stored'; fileId: string; size: number } });

export interface ResolvedMessage {
  readonly parts: readonly ResolvedPart[];
  readonly text: string;
  /** What its sender calls the message. */
  readonly clientMessageId?: string;
}

/** The owner whose files a message may name, and the quotas of files that it brings along. */
export interface FileContext extends FileOwner {
  readonly quotas: FileQuotas;
  readonly maxSessionBytes: number;
  /** The message was accepted before, and its turn failed. */
  readonly again: boolean;
}

export interface StoredMessage {
  readonly outcome: 'stored';
  readonly body: MessageBody;
  /** Ids of the files that came inside the message: removed again when it is not accepted. */
  readonly own: readonly string[];
}

/** Takes the bytes out of a message: they are stored once, and the log names them by an unguessable id. */
export async function storeFiles(
  files: FileStore,
  message: ResolvedMessage,
  { quotas, ...owner }: FileContext,
  fileUrl: (id: string) => string,
): Promise<StoredMessage | Limited> {
  const parts: MessagePart[] = [];
  const fileIds: string[] = [];
  const own: string[] = [];
  let whole = false;
  try {
    for (const part of message.parts) {
      if (part.type === 'text') {
        parts.push(part);
        continue;
      }
      const { mediaType, filename, data } = part;
      const described = { type: 'file', mediaType, ...(filename !== undefined && { filename }) } as const;
      if (data.kind === 'url') {
        parts.push({ ...described, url: data.url });
        continue;
      }
      let size: number;
      let fileId: string;
      if (data.kind === 'stored') ({ fileId, size } = data);
      else {
        const description = { ...owner, mediaType, filename: filename ?? null, quotas };
        const stored = await storeFile(files, description, chunksOf(data.bytes));
        if (stored.outcome === 'missing') throw new Error('A file was not stored within its time');
        if (stored.outcome === 'limited') return stored;
        ({ fileId, size } = stored);
        own.push(fileId);
      }
      fileIds.push(fileId);
      // The log has the id alone. A process of the version before, which may run the message, logs the address.
      parts.push({ ...described, size, url: fileUrl(fileId) });
    }
    whole = true;
    const { text, clientMessageId } = message;
    const named = clientMessageId === undefined ? {} : { clientMessageId };
    return { outcome: 'stored', body: { text, parts, fileIds, ...named }, own };
  } finally {
    if (!whole && own.length > 0) await files.discard(own);
  }
}

function* chunksOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += fileChunkBytes) {
    yield bytes.subarray(from, from + fileChunkBytes);
  }
}
