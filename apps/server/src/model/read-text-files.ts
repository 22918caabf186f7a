import { namedEncoding } from '../egress/named-encoding.ts';
import { isTextFile } from './is-text-file.ts';
import type { FilePart, Message, UserPart } from './message.ts';

/**
 * The messages with what users sent as texts written out: most providers take no file but pictures and PDFs, and refuse
 * the whole prompt for any other.
 */
export const readTextFiles = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? { ...message, content: message.content.map(readTextFile) }
      : message,
  );

function readTextFile(part: UserPart): UserPart {
  if (part.type !== 'file' || !isTextFile(part.mediaType)) return part;
  const { mediaType, filename, data, ...rest } = part;
  const name = `[file: ${filename ?? mediaType} (${mediaType})]`;
  return { ...rest, type: 'text', text: `${name}\n${textOf({ mediaType, data })}` };
}

/** A file that is not in the encoding that it names, or not in UTF-8, is in that of Windows, as of a table that Excel has saved. */
function textOf({ mediaType, data }: Pick<FilePart, 'mediaType' | 'data'>): string {
  const bytes = Buffer.from(data, 'base64');
  try {
    return new TextDecoder(namedEncoding(bytes, mediaType) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
