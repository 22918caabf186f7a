import {
  maxAddressLength,
  maxFilenameLength,
  maxIdLength,
  maxMediaTypeLength,
  maxMessageParts,
} from './bounds.ts';
import {
  type FilePart,
  isStoredFile,
  parseFileData,
  parseStoredFile,
  type StoredFilePart,
} from './file-part.ts';
import { InlineFile } from './inline-file.ts';
import { mediaTypeFault } from './media-type.ts';
import { Refusal } from './parsed.ts';
import { boundedText, withoutNul } from './refuse-text.ts';
import { isLongerThan } from './text.ts';

export type TextPart = { type: 'text'; text: string };
export type UserPart = TextPart | FilePart | StoredFilePart;

/** A user's message. `text` is its flat form, without the stored files, whose names only the service knows. */
export type UserMessage = { parts: UserPart[]; text: string };

/** Null when there is none: absent, `''` or `[]`. */
export function parseUserMessage(value: unknown): UserMessage | null {
  if (value === undefined || value === '') return null;
  if (typeof value === 'string') {
    const text = boundedText(value, 'message');
    return { parts: [{ type: 'text', text }], text };
  }
  if (!Array.isArray(value)) {
    throw new Refusal("Expected 'message' to be a string or an array of text/file parts.", 'message');
  }
  if (value.length === 0) return null;
  if (value.length > maxMessageParts) {
    throw new Refusal(`Expected 'message' to have at most ${maxMessageParts} parts.`, 'message');
  }
  const parts = value.map(parsePart);
  const typed = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  boundedText(typed.join('\n'), 'message');
  return { parts, text: flatText(parts.filter(isNamed)) };
}

const isNamed = (part: UserPart): part is TextPart | FilePart => !isStoredFile(part);

/** A message as text: its files by name. */
export function flatText(
  parts: readonly (TextPart | Pick<FilePart, 'type' | 'mediaType' | 'filename'>)[],
): string {
  return parts
    .map((part) =>
      part.type === 'text' ? part.text : `[file: ${part.filename ?? part.mediaType} (${part.mediaType})]`,
    )
    .join('\n');
}

function parsePart(value: unknown, index: number): UserPart {
  const refuse = (message: string): never => {
    throw new Refusal(message, 'message', index);
  };
  if (typeof value !== 'object' || value === null)
    return refuse('Expected each message part to be an object.');
  const { type, text, mediaType, data, filename, fileId } = value as Record<string, unknown>;
  if (type === 'text') {
    if (typeof text !== 'string' || text === '')
      return refuse("Text parts require a non-empty 'text' string.");
    return { type, text: withoutNul(text, 'message') };
  }
  if (type !== 'file') {
    const named = typeof type === 'string' ? type.slice(0, 100).toWellFormed() : typeof type;
    return refuse(`Unsupported message part type "${named}". Use 'text' or 'file'.`);
  }
  if (fileId !== undefined)
    return (
      parseStoredFile(fileId) ??
      refuse(`Expected 'fileId' to be the id of a file, of at most ${maxIdLength} characters.`)
    );
  if (typeof mediaType !== 'string' || mediaType === '') {
    return refuse("File parts require a non-empty 'mediaType' string.");
  }
  const dataMessage = "File parts require a 'data' string (base64, data URL, or URL).";
  if (typeof data !== 'string' && !(data instanceof InlineFile)) return refuse(dataMessage);
  if (/^[a-z][a-z0-9-]*-(?:url|sandbox|attachment):/.test(typeof data === 'string' ? data : data.head)) {
    return refuse("File part 'data' must not use a framework-internal ref scheme.");
  }
  const mediaTypeProblem = mediaTypeFault(mediaType);
  if (mediaTypeProblem === 'length') {
    return refuse(`File parts require a 'mediaType' of at most ${maxMediaTypeLength} characters.`);
  }
  if (mediaTypeProblem === 'form') {
    return refuse("File parts require a 'mediaType' of the form type/subtype.");
  }
  const fileData = parseFileData(data);
  if (fileData === 'length') {
    return refuse(`File parts require a 'data' address of at most ${maxAddressLength} characters.`);
  }
  if (fileData === 'form') return refuse(dataMessage);
  const file: FilePart = { type: 'file', mediaType, data: fileData };
  if (typeof filename !== 'string' || filename === '') return file;
  if (isLongerThan(filename, maxFilenameLength)) {
    return refuse(`File parts require a 'filename' of at most ${maxFilenameLength} characters.`);
  }
  return { ...file, filename: withoutNul(filename, 'message') };
}
