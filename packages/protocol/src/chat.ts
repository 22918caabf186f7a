import { z } from 'zod';
import {
  maxAddressLength,
  maxChatBytes,
  maxFilenameLength,
  maxIdLength,
  maxInlineFileBytes,
  maxMediaTypeLength,
  maxMessageParts,
  maxMessages,
  maxMessagesBytes,
  maxUiMessageParts,
} from './bounds.ts';
import { type FilePart, parseFileData, parseStoredFile } from './file-part.ts';
import { InlineFile } from './inline-file.ts';
import { issueMessage } from './issue-message.ts';
import { mediaTypeFault } from './media-type.ts';
import type { Issue } from './problem.ts';
import { hasNul, isLongerThan, jsonFault, maxTextLength, wellFormedJson } from './text.ts';
import type { UserPart } from './user-message.ts';

export const maxConversationIdLength = 200;

/** What a client that continues an assistant message answers, read from its tool parts. */
export type ChatAnswer =
  | { kind: 'approval'; approvalId: string; approved: boolean; reason: string | null }
  | { kind: 'output'; toolCallId: string; output: unknown }
  | { kind: 'output-error'; toolCallId: string; errorText: string };

/** `id` is the conversation's; `messageId` the UI message's own, null when the body was `text`. */
export type ChatRequest = { id: string; body: 'text' | 'message'; messageId: string | null } & (
  | {
      kind: 'text';
      parts: UserPart[];
      text: string;
      /** The earlier message that this one is an edit of: it and what follows are withdrawn. */
      edits: string | null;
    }
  | { kind: 'regenerate'; parts: UserPart[]; text: string }
  | { kind: 'answers'; answers: ChatAnswer[] }
);

const noNul = 'Expected no U+0000.';

const identifier = z
  .string()
  .min(1)
  .max(maxConversationIdLength)
  .refine((value) => !hasNul(value), noNul)
  .overwrite((value) => value.toWellFormed());

const textSchema = z
  .string('Expected a string.')
  .min(1, 'Expected at least 1 character.')
  .max(maxTextLength, `Expected at most ${maxTextLength} characters.`)
  .refine((text) => !hasNul(text), noNul)
  .overwrite((text) => text.toWellFormed());

const approvalSchema = z.object({
  id: z.string().min(1).max(maxIdLength),
  approved: z.boolean().optional(),
  reason: z.string().max(maxTextLength).optional(),
});

const uiPartSchema = z
  .looseObject({ type: z.string().max(maxIdLength) })
  .describe(
    `Of a file: \`mediaType\` (at most ${maxMediaTypeLength} characters), \`url\` (a data: URL, or an http or https URL of at most ${maxAddressLength} characters) and \`filename\` (at most ${maxFilenameLength}). All data: URLs of a request have at most ${maxInlineFileBytes} bytes.`,
  )
  .meta({ 'x-maxBytes': maxChatBytes });

/** A UI message of the AI SDK. Parts of other types are ignored. */
export const uiMessageSchema = z.object({
  id: identifier.optional(),
  role: z.enum(['user', 'assistant']),
  parts: z.array(uiPartSchema).max(maxUiMessageParts),
});

const idDescription =
  'Which conversation: among those of the agent’s secret keys, of the visitor, or, with a publishable key and no visitor token, of everybody who has none; there it must be unguessable.';

const commonFields = {
  id: identifier.describe(idDescription),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: identifier.optional(),
};

type Said = { kind: 'said'; messageId: string | null; parts: UserPart[]; text: string };
type Answered = { kind: 'answers'; messageId: string | null; answers: ChatAnswer[] };

/** What a message says, with every reason why it cannot be read. */
const spokenSchema = uiMessageSchema.transform(({ id: messageId = null, role, parts }, context) => {
  const issues: Issue[] = [];
  const spoken = role === 'assistant' ? readAnswers(parts, issues) : readParts(parts, issues);
  for (const { path, message } of issues)
    context.issues.push({ code: 'custom', input: parts, path: ['parts', ...path], message });
  return issues.length > 0 ? z.NEVER : ({ messageId, ...spoken } as Said | Answered);
});

/** Of a list only the last message is read, whatever the others are. */
const lastSpokenSchema = z
  .array(z.unknown())
  .min(1)
  .max(maxMessages)
  .transform((messages, context) => {
    const result = spokenSchema.safeParse(messages.at(-1), { error: issueMessage });
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues)
      context.issues.push({
        code: 'custom',
        input: messages,
        path: [messages.length - 1, ...path],
        message,
      });
    return z.NEVER;
  });

const exactlyOne = 'Expected exactly one of text, message and messages.';
const isObject = ({ value }: { value: unknown }) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bodySchema = z
  .object({
    ...commonFields,
    text: textSchema.optional(),
    message: spokenSchema.optional(),
    messages: lastSpokenSchema.optional(),
  })
  // Said besides the issues of the fields, not instead of them.
  .refine(
    ({ text, message, messages }) =>
      text === undefined
        ? message !== undefined || messages !== undefined
        : message === undefined && messages === undefined,
    { error: exactlyOne, path: ['text'], when: isObject },
  )
  .refine(
    ({ text, message, messages }) => text !== undefined || message === undefined || messages === undefined,
    { error: exactlyOne, path: ['message'], when: isObject },
  );

/** The body of a turn has its content in one of three fields. */
const contentSchema = z.union([
  z.object({ ...commonFields, text: textSchema }),
  z.object({ ...commonFields, message: uiMessageSchema }),
  z.object({
    ...commonFields,
    messages: z
      .array(uiMessageSchema)
      .min(1)
      .max(maxMessages)
      .describe(`The last one is the message. All have at most ${maxMessagesBytes} bytes together.`),
  }),
]);
const { $schema: _dialect, ...documentation } = z.toJSONSchema(contentSchema, { io: 'input' });

/** The body of a Chat turn, read with every reason why it cannot be one. Unknown fields are ignored. */
export const chatRequestSchema = z
  .unknown()
  .meta(documentation)
  .pipe(bodySchema)
  .transform(({ id, trigger, messageId: edits = null, text = '', ...body }): ChatRequest => {
    const spoken = body.message ?? body.messages;
    if (spoken?.kind === 'answers') return { id, body: 'message', ...spoken };
    const said = spoken
      ? { body: 'message' as const, messageId: spoken.messageId, parts: spoken.parts, text: spoken.text }
      : { body: 'text' as const, messageId: null, parts: [{ type: 'text' as const, text }], text };
    if (trigger === 'regenerate-message') return { id, kind: 'regenerate', ...said };
    return { id, kind: 'text', ...said, edits: spoken ? edits : null };
  });

export const chatReplySchema = z.object({
  id: z.string(),
  text: z.string(),
  usage: z
    .object({ inputTokens: z.number().int(), outputTokens: z.number().int() })
    .optional()
    .describe('Tokens of the turn, all its model calls together. To a secret key, where the model says it.'),
});
export const chatDeletedSchema = z.object({
  ok: z.literal(true),
  id: z.string(),
  status: z.literal('deleted'),
});
export type ChatReply = z.infer<typeof chatReplySchema>;

type Path = Issue['path'];
type UiPart = z.infer<typeof uiPartSchema>;

function readAnswers(parts: readonly UiPart[], issues: Issue[]): Omit<Answered, 'messageId'> {
  const answers = parts.flatMap((part, index) => readAnswer(part, [index], issues));
  if (answers.length === 0)
    issues.push({ path: [], message: 'Expected an answered approval or the output of a tool.' });
  return { kind: 'answers', answers };
}

function readParts(parts: readonly UiPart[], issues: Issue[]): Omit<Said, 'messageId'> {
  const text = readText(joinedText(parts), [], issues) ?? '';
  const own = parts.filter(({ type }) => type === 'text' || type === 'file');
  if (own.length > maxMessageParts) {
    issues.push({ path: [], message: `Expected at most ${maxMessageParts} texts and files.` });
    return { kind: 'said', text, parts: [] };
  }
  return {
    kind: 'said',
    text,
    parts: parts.flatMap((part, index) => readUserPart(part, [index], issues)),
  };
}

function readText(value: unknown, path: Path, issues: Issue[]): string | null {
  const text = textSchema.safeParse(value);
  if (text.success) return text.data;
  issues.push({ path, message: text.error.issues[0]?.message ?? '' });
  return null;
}

const joinedText = (parts: readonly UiPart[]): string =>
  parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');

function readUserPart(part: UiPart, path: Path, issues: Issue[]): UserPart[] {
  if (part.type === 'text') {
    if (typeof part['text'] === 'string') return [{ type: 'text', text: part['text'].toWellFormed() }];
    issues.push({ path: [...path, 'text'], message: 'Expected a string.' });
  }
  if (part.type !== 'file') return [];
  const { mediaType, url, filename, fileId } = part;
  const refuse = (field: string, message: string) => {
    issues.push({ path: [...path, field], message });
    return [];
  };
  if (fileId !== undefined) {
    const stored = parseStoredFile(fileId);
    return stored
      ? [stored]
      : refuse('fileId', `Expected the id of a file, of at most ${maxIdLength} characters.`);
  }
  const mediaTypeProblem = typeof mediaType === 'string' ? mediaTypeFault(mediaType) : 'form';
  if (mediaTypeProblem === 'length')
    return refuse('mediaType', `Expected at most ${maxMediaTypeLength} characters.`);
  if (typeof mediaType !== 'string' || mediaTypeProblem === 'form')
    return refuse('mediaType', 'Expected a media type of the form type/subtype.');
  const data = isFileUrl(url) ? parseFileData(url) : 'form';
  if (data === 'length')
    return refuse('url', `Expected an address of at most ${maxAddressLength} characters.`);
  if (data === 'form') return refuse('url', 'Expected a data:, http or https URL.');
  const file: FilePart = { type: 'file', mediaType, data };
  if (typeof filename !== 'string' || filename === '') return [file];
  if (hasNul(filename)) return refuse('filename', 'Expected no U+0000.');
  if (isLongerThan(filename, maxFilenameLength))
    return refuse('filename', `Expected at most ${maxFilenameLength} characters.`);
  return [{ ...file, filename: filename.toWellFormed() }];
}

function isFileUrl(url: unknown): url is string | InlineFile {
  if (url instanceof InlineFile) return /^data:/i.test(url.head);
  return typeof url === 'string' && /^(?:data|https?):/i.test(url);
}

/** Whether an answer is to something that waits is for the transcript to say. */
function readAnswer(part: UiPart, path: Path, issues: Issue[]): ChatAnswer[] {
  if (part.type !== 'dynamic-tool' && !part.type.startsWith('tool-')) return [];
  const { state, toolCallId, output, errorText } = part;
  if (state === 'approval-responded') {
    const approval = approvalSchema.safeParse(part['approval']);
    if (approval.success && approval.data.approved !== undefined && !hasNul(approval.data.reason ?? '')) {
      const { id, approved, reason } = approval.data;
      return [{ kind: 'approval', approvalId: id, approved, reason: reason?.toWellFormed() ?? null }];
    }
    const long = approval.error?.issues.find(({ code }) => code === 'too_big')?.message;
    const message = long ?? 'Expected an approval with its id and decision.';
    issues.push({ path: [...path, 'approval'], message });
    return [];
  }
  if (state !== 'output-available' && state !== 'output-error') return [];
  if (typeof toolCallId !== 'string' || toolCallId === '' || toolCallId.length > maxIdLength) {
    const message = `Expected the id of a tool call, of at most ${maxIdLength} characters.`;
    issues.push({ path: [...path, 'toolCallId'], message });
    return [];
  }
  if (state === 'output-error') {
    const text = readText(errorText, [...path, 'errorText'], issues);
    return text === null ? [] : [{ kind: 'output-error', toolCallId, errorText: text }];
  }
  if (jsonFault(output)) {
    issues.push({ path: [...path, 'output'], message: 'Expected JSON without U+0000 and deep nesting.' });
    return [];
  }
  return [{ kind: 'output', toolCallId, output: wellFormedJson(output) }];
}
