import { z } from 'zod';
import {
  maxAddressLength,
  maxBodyBytes,
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

export type ParsedChat = { ok: true; value: ChatRequest } | { ok: false; issues: Issue[] };

const identifier = z
  .string()
  .min(1)
  .max(maxConversationIdLength)
  .refine((value) => !hasNul(value), 'Expected no U+0000.');

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
  .meta({ 'x-maxBytes': maxBodyBytes });

/** A UI message of the AI SDK. Parts of other types are ignored. */
export const uiMessageSchema = z.object({
  id: identifier.optional(),
  role: z.enum(['user', 'assistant']),
  parts: z.array(uiPartSchema).max(maxUiMessageParts),
});

const commonFields = {
  id: identifier.describe(
    'Which conversation: among those of the agent’s secret keys, of the visitor, or, with a publishable key and no visitor token, of everybody who has none; there it must be unguessable.',
  ),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: identifier.optional(),
};

/** For the reference; `parseChat` is what decides. */
export const chatRequestSchema = z.union([
  z.object({ ...commonFields, text: z.string().min(1).max(maxTextLength) }),
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

export const chatAnswerSchema = z.object({ id: z.string(), text: z.string() });
export type ChatReply = z.infer<typeof chatAnswerSchema>;

const bodySchema = z.object({
  ...commonFields,
  text: z.unknown().optional(),
  message: z.unknown().optional(),
  messages: z.array(z.unknown()).min(1).max(maxMessages).optional(),
});

type Path = Issue['path'];
type Body = z.infer<typeof bodySchema>;

/** Reads the body of a Chat turn, with every reason why it cannot be one. Unknown fields are ignored. */
export function parseChat(input: unknown): ParsedChat {
  const parsed = bodySchema.safeParse(input);
  const issues: Issue[] = parsed.success ? [] : zodIssues(parsed.error, []);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { ok: false, issues };
  const content = parseContent(input as Body, issues);
  if (!parsed.success || content === null || issues.length > 0) return { ok: false, issues };
  return { ok: true, value: { id: parsed.data.id.toWellFormed(), ...content } };
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
type Content = DistributiveOmit<ChatRequest, 'id'>;

function parseContent(body: Body, issues: Issue[]): Content | null {
  const kinds = (['text', 'message', 'messages'] as const).filter((field) => body[field] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    issues.push({ path: [kind ?? 'text'], message: 'Expected exactly one of text, message and messages.' });
    return null;
  }
  if (kind !== 'text') {
    const last = Array.isArray(body.messages) ? body.messages.length - 1 : -1;
    if (kind === 'messages' && last === -1) return null;
    const path: Path = kind === 'messages' ? ['messages', last] : ['message'];
    return parseMessage(kind === 'messages' ? body.messages?.[last] : body.message, body, path, issues);
  }
  const text = parseText(body.text, ['text'], issues);
  if (text === null) return null;
  const said = { body: 'text' as const, messageId: null, parts: [{ type: 'text' as const, text }], text };
  return body.trigger === 'regenerate-message'
    ? { kind: 'regenerate', ...said }
    : { kind: 'text', ...said, edits: null };
}

function parseText(value: unknown, path: Path, issues: Issue[]): string | null {
  const refuse = (message: string) => {
    issues.push({ path, message });
    return null;
  };
  if (typeof value !== 'string') return refuse('Expected a string.');
  if (value === '') return refuse('Expected at least 1 character.');
  if (isLongerThan(value, maxTextLength)) return refuse('Expected at most 20000 characters.');
  if (hasNul(value)) return refuse('Expected no U+0000.');
  return value.toWellFormed();
}

function parseMessage(value: unknown, body: Body, path: Path, issues: Issue[]): Content | null {
  const message = uiMessageSchema.safeParse(value);
  if (!message.success) {
    issues.push(...zodIssues(message.error, path));
    return null;
  }
  const { role, parts } = message.data;
  const messageId = message.data.id?.toWellFormed() ?? null;
  const before = issues.length;
  if (role === 'assistant') {
    const answers = parts.flatMap((part, index) => parseAnswer(part, [...path, 'parts', index], issues));
    if (answers.length === 0) {
      issues.push({
        path: [...path, 'parts'],
        message: 'Expected an answered approval or the output of a tool.',
      });
    }
    return issues.length > before ? null : { kind: 'answers', body: 'message', messageId, answers };
  }
  const text = parseText(joinedText(parts), [...path, 'parts'], issues);
  const ownParts = parts.filter(({ type }) => type === 'text' || type === 'file');
  if (ownParts.length > maxMessageParts) {
    const message = `Expected at most ${maxMessageParts} texts and files.`;
    issues.push({ path: [...path, 'parts'], message });
    return null;
  }
  const userParts = parts.flatMap((part, index) => parseUserPart(part, [...path, 'parts', index], issues));
  if (text === null || issues.length > before) return null;
  const said = { body: 'message' as const, messageId, parts: userParts, text };
  if (body.trigger === 'regenerate-message') return { kind: 'regenerate', ...said };
  const edits = body.messageId?.toWellFormed() ?? null;
  return { kind: 'text', ...said, edits };
}

type UiPart = z.infer<typeof uiPartSchema>;

const joinedText = (parts: readonly UiPart[]): string =>
  parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');

function parseUserPart(part: UiPart, path: Path, issues: Issue[]): UserPart[] {
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
function parseAnswer(part: UiPart, path: Path, issues: Issue[]): ChatAnswer[] {
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
    const text = parseText(errorText, [...path, 'errorText'], issues);
    return text === null ? [] : [{ kind: 'output-error', toolCallId, errorText: text }];
  }
  if (jsonFault(output)) {
    issues.push({ path: [...path, 'output'], message: 'Expected JSON without U+0000 and deep nesting.' });
    return [];
  }
  return [{ kind: 'output', toolCallId, output: wellFormedJson(output) }];
}

const zodIssues = (error: z.ZodError, path: Path): Issue[] =>
  error.issues.map((issue) => ({
    path: [...path, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))],
    message: issue.message,
  }));
