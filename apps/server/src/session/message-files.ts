import { randomBytes } from 'node:crypto';
import type { MessagePart } from '@parley/protocol/event';
import type { UserMessage } from '@parley/protocol/user-message';
import type { StoredFile } from '../store/store.ts';
import type { MessageBody } from './item.ts';

export interface StoredMessage {
  readonly body: MessageBody;
  readonly files: readonly StoredFile[];
}

/** Takes the bytes out of a message: they are stored once, and the log names them by an unguessable address. */
export function storeFiles(
  message: UserMessage,
  sessionId: string,
  fileUrl: (id: string) => string,
): StoredMessage {
  const files: StoredFile[] = [];
  const parts = message.parts.map((part): MessagePart => {
    if (part.type === 'text') return part;
    const described = part.filename === undefined ? {} : { filename: part.filename };
    if (part.data.kind === 'url')
      return { type: 'file', mediaType: part.mediaType, ...described, url: part.data.url };
    const { bytes } = part.data;
    const id = `file_${randomBytes(24).toString('base64url')}`;
    files.push({ id, sessionId, mediaType: part.mediaType, filename: part.filename ?? null, bytes });
    return { type: 'file', mediaType: part.mediaType, ...described, size: bytes.length, url: fileUrl(id) };
  });
  return { body: { text: message.text, parts, fileIds: files.map(({ id }) => id) }, files };
}
