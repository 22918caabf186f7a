import { z } from 'zod';
import {
  maxAddressLength,
  maxFilenameLength,
  maxIdLength,
  maxInlineFileBytes,
  maxMediaTypeLength,
  maxMessageParts,
} from './bounds.ts';
import {
  type FileData,
  type FilePart,
  isStoredFile,
  parseFileData,
  type StoredFilePart,
} from './file-part.ts';
import { InlineFile } from './inline-file.ts';
import { mediaTypeFault } from './media-type.ts';
import { boundedText, judged, requestText, tooLong } from './request-text.ts';
import { isLongerThan, maxTextLength } from './text.ts';

export type TextPart = { type: 'text'; text: string };
export type UserPart = TextPart | FilePart | StoredFilePart;

/** A user's message. `text` is its flat form, without the stored files, whose names only the service knows. */
export type UserMessage = { parts: UserPart[]; text: string };

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

const noText = "Text parts require a non-empty 'text' string.";
const textPartSchema = z.object({
  type: z.literal('text'),
  text: boundedText('message', noText).min(1, noText),
});

const noFileId = `Expected 'fileId' to be the id of a file, of at most ${maxIdLength} characters.`;
const storedPartSchema = z
  .object({
    type: z.literal('file'),
    fileId: z
      .string(noFileId)
      .max(maxIdLength, noFileId)
      .regex(/^[\w-]+$/, noFileId)
      .describe('Of an uploaded file.'),
  })
  .transform(({ type, fileId }): StoredFilePart => ({ type, data: { kind: 'stored', fileId } }));

const noMediaType = "File parts require a non-empty 'mediaType' string.";
const mediaTypeSchema = z
  .string(noMediaType)
  .min(1, noMediaType)
  .max(maxMediaTypeLength, `File parts require a 'mediaType' of at most ${maxMediaTypeLength} characters.`)
  .refine(
    (mediaType) => mediaTypeFault(mediaType) !== 'form',
    "File parts require a 'mediaType' of the form type/subtype.",
  );

/** What the body's reader has decoded already comes as an `InlineFile`. */
const dataSchema = z
  .unknown()
  .meta({
    type: 'string',
    maxLength: maxInlineFileBytes,
    description: `Base64, a data: URL or an http(s) URL. A URL has at most ${maxAddressLength} characters; all files of a request have at most ${maxInlineFileBytes} bytes, as they are sent.`,
  })
  .transform((data, context): FileData => {
    const file = readFileData(data);
    if (typeof file === 'object') return file;
    context.issues.push({ code: 'custom', input: data, message: file });
    return z.NEVER;
  });

const noData = "File parts require a 'data' string (base64, data URL, or URL).";

/** Or the sentence that says why not. */
function readFileData(data: unknown): FileData | string {
  if (typeof data !== 'string' && !(data instanceof InlineFile)) return noData;
  if (/^[a-z][a-z0-9-]*-(?:url|sandbox|attachment):/.test(typeof data === 'string' ? data : data.head))
    return "File part 'data' must not use a framework-internal ref scheme.";
  const read = parseFileData(data);
  if (read === 'length')
    return `File parts require a 'data' address of at most ${maxAddressLength} characters.`;
  return read === 'form' ? noData : read;
}

/** A name that is no text is left out. */
const filenameSchema = z
  .preprocess(
    (name) => (typeof name === 'string' && name !== '' ? name : undefined),
    requestText('message', '')
      .max(maxFilenameLength, `File parts require a 'filename' of at most ${maxFilenameLength} characters.`)
      .optional(),
  )
  .optional();

const filePartSchema = judged(
  // A part that names a stored file, however wrongly, brings none of its own.
  (part) => (typeof part === 'object' && part !== null && 'fileId' in part ? noFileId : null),
  z.object({
    type: z.literal('file'),
    mediaType: mediaTypeSchema,
    data: dataSchema,
    filename: filenameSchema,
  }),
).transform(({ filename, ...part }): FilePart => ({ ...part, ...(filename !== undefined && { filename }) }));

const partSchema = z.union([textPartSchema, storedPartSchema, filePartSchema], {
  error: ({ input, errors }) => {
    if (typeof input !== 'object' || input === null) return 'Expected each message part to be an object.';
    const { type, fileId } = input as { type?: unknown; fileId?: unknown };
    if (type !== 'text' && type !== 'file') {
      const named = typeof type === 'string' ? type.slice(0, 100).toWellFormed() : typeof type;
      return `Unsupported message part type "${named}". Use 'text' or 'file'.`;
    }
    const [text, stored, file] = errors as z.core.$ZodIssue[][];
    const judgedAs = type === 'text' ? text : fileId === undefined ? file : stored;
    return judgedAs?.[0]?.message;
  },
});

const textOf = (parts: readonly UserPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const wrongMessage = "Expected 'message' to be a string or an array of text/file parts.";

/** A message as a request brings it; null for one that is empty, which the schema of the request judges. */
export const userMessageSchema = z
  .union(
    [
      boundedText('message', wrongMessage).meta({ minLength: 1 }),
      z
        .array(partSchema)
        .max(maxMessageParts, `Expected 'message' to have at most ${maxMessageParts} parts.`)
        .refine((parts) => !isLongerThan(textOf(parts), maxTextLength), tooLong('message', maxTextLength))
        .meta({ minItems: 1, description: `The texts have at most ${maxTextLength} characters together.` }),
    ],
    {
      error: ({ input, errors }) => {
        if (!Array.isArray(input) && typeof input !== 'string') return wrongMessage;
        const [text, parts] = errors as z.core.$ZodIssue[][];
        return (typeof input === 'string' ? text : parts)?.[0]?.message;
      },
    },
  )
  .transform((message): UserMessage | null => {
    if (message.length === 0) return null;
    const parts: UserPart[] = typeof message === 'string' ? [{ type: 'text', text: message }] : message;
    return { parts, text: flatText(parts.filter(isNamed)) };
  });
