import { expect, test } from 'vitest';
import type { z } from 'zod';
import { firstIssue } from './first-issue.ts';
import { decodeInlineFile } from './inline-file.ts';
import {
  cancelRequestSchema,
  createRequestSchema,
  feedbackRequestSchema,
  followUpRequestSchema,
  tokenRequestSchema,
} from './session-requests.ts';

/** What the schema makes of a body, or the one sentence that its sender is told. */
function reader<Schema extends z.ZodType>(schema: Schema) {
  return (body: unknown): { ok: true; value: z.output<Schema> } | { ok: false; message: string } => {
    const result = schema.safeParse(body);
    return result.success
      ? { ok: true, value: result.data }
      : { ok: false, message: firstIssue(result.error).message };
  };
}
const parseCreate = reader(createRequestSchema);
const parseFollowUp = reader(followUpRequestSchema);
const parseCancel = reader(cancelRequestSchema);
const parseToken = reader(tokenRequestSchema);
const parseFeedback = reader(feedbackRequestSchema);
const refusal = (result: { ok: boolean; message?: string }) => (result.ok ? 'accepted' : result.message);
const missing = "Missing or empty 'message' field.";
const wrongType = "Expected 'message' to be a string or an array of text/file parts.";
const bytesOf = (text: string) => new TextEncoder().encode(text);
const astral = '\u{1F642}';

test('a text becomes one part', () => {
  expect(parseCreate({ message: ' ' })).toEqual({
    ok: true,
    value: {
      message: { parts: [{ type: 'text', text: ' ' }], text: ' ' },
      clientMessageId: null,
      clientContext: [],
      outputSchema: null,
      clientTools: null,
      requestInput: true,
      mode: 'conversation',
    },
  });
});

test('parts are normalised and flattened', () => {
  const result = parseCreate({
    message: [
      { type: 'text', text: 'Look:', style: 'dropped' },
      { type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: 'aGVsbG8=' },
      { type: 'file', mediaType: 'text/plain', data: 'data:text/plain,h%C3%A9llo' },
      { type: 'file', mediaType: 'text/plain', filename: '', data: 'data:text/plain;base64,aGVsbG8' },
      { type: 'file', mediaType: 'image/png', data: 'https://example.com/a b.png' },
    ],
  });
  expect(result.ok && result.value.message).toEqual({
    parts: [
      { type: 'text', text: 'Look:' },
      {
        type: 'file',
        mediaType: 'text/plain',
        filename: 'a.txt',
        data: { kind: 'bytes', bytes: bytesOf('hello') },
      },
      { type: 'file', mediaType: 'text/plain', data: { kind: 'bytes', bytes: bytesOf('héllo') } },
      { type: 'file', mediaType: 'text/plain', data: { kind: 'bytes', bytes: bytesOf('hello') } },
      { type: 'file', mediaType: 'image/png', data: { kind: 'url', url: 'https://example.com/a%20b.png' } },
    ],
    text: [
      'Look:',
      '[file: a.txt (text/plain)]',
      '[file: text/plain (text/plain)]',
      '[file: text/plain (text/plain)]',
      '[file: image/png (image/png)]',
    ].join('\n'),
  });
});

test.each<[string, unknown, string]>([
  ['null', null, 'Expected a JSON object.'],
  ['a number', 1, 'Expected a JSON object.'],
  ['a string', 'hello', 'Expected a JSON object.'],
  ['an array', [], missing],
  ['no message', {}, missing],
  ['an empty message', { message: '' }, missing],
  ['no parts', { message: [] }, missing],
  ['answers only', { continuationToken: 'parley:x', inputResponses: [{ requestId: 'r' }] }, missing],
  ['null as message', { message: null }, wrongType],
  ['a number as message', { message: 5 }, wrongType],
  ['an object as message', { message: { text: 'hi' } }, wrongType],
  ['a string part', { message: ['hi'] }, 'Expected each message part to be an object.'],
  ['a null part', { message: [null] }, 'Expected each message part to be an object.'],
  [
    'an image part',
    { message: [{ type: 'image' }] },
    "Unsupported message part type \"image\". Use 'text' or 'file'.",
  ],
  [
    'a part without type',
    { message: [{}] },
    "Unsupported message part type \"undefined\". Use 'text' or 'file'.",
  ],
  [
    'an empty text part',
    { message: [{ type: 'text', text: '' }] },
    "Text parts require a non-empty 'text' string.",
  ],
  [
    'a file without media type',
    { message: [{ type: 'file', data: 'aGk=' }] },
    "File parts require a non-empty 'mediaType' string.",
  ],
  ...[
    undefined,
    7,
    '',
    'not base64!',
    'aGk=a',
    'a',
    'ftp://example.com/x',
    'data:text/plain',
    'https://',
  ].map((data): [string, unknown, string] => [
    `file data ${JSON.stringify(data)}`,
    { message: [{ type: 'file', mediaType: 'text/plain', data }] },
    "File parts require a 'data' string (base64, data URL, or URL).",
  ]),
  ...['eve-url:https://example.com', 'eve-sandbox:/a', 'parley-attachment:1'].map(
    (data): [string, unknown, string] => [
      `file data ${data}`,
      { message: [{ type: 'file', mediaType: 'text/plain', data }] },
      "File part 'data' must not use a framework-internal ref scheme.",
    ],
  ),
  ['a number as context', { message: 'x', clientContext: 1 }, contextText()],
  ['null as context', { message: 'x', clientContext: null }, contextText()],
  [
    'an empty context entry',
    { message: 'x', clientContext: ['a', ''] },
    "Expected 'clientContext' array entries to be non-empty strings.",
  ],
  [
    'an array as output schema',
    { message: 'x', outputSchema: [] },
    "Expected 'outputSchema' to be a JSON-serializable object.",
  ],
  [
    'an output schema nested too deep',
    { message: 'x', outputSchema: nested(70) },
    "Expected 'outputSchema' to be a JSON-serializable object.",
  ],
  ['another mode', { message: 'x', mode: 'chat' }, "Expected 'mode' to be either 'conversation' or 'task'."],
  ['null as capabilities', { message: 'x', capabilities: null }, "Expected 'capabilities' to be an object."],
  [
    'another capability',
    { message: 'x', capabilities: { fly: true } },
    "Expected 'capabilities.requestInput' to be a boolean when provided.",
  ],
  ['U+0000 in the message', { message: 'a\0b' }, "Expected 'message' not to contain U+0000."],
  [
    'U+0000 in a part',
    { message: [{ type: 'text', text: '\0' }] },
    "Expected 'message' not to contain U+0000.",
  ],
  [
    'U+0000 in the context',
    { message: 'x', clientContext: { page: { '\0': 1 } } },
    "Expected 'clientContext' not to contain U+0000.",
  ],
  [
    'the message before the context, the context before the mode',
    { message: '', clientContext: 1, mode: 'chat' },
    contextText(),
  ],
  [
    'other fields before a missing message',
    { mode: 'chat', outputSchema: 1 },
    "Expected 'mode' to be either 'conversation' or 'task'.",
  ],
])('a session is not created from %s', (_, body, message) => {
  expect(refusal(parseCreate(body))).toBe(message);
});

function contextText() {
  return "Expected 'clientContext' to be a string, string array, or JSON object.";
}

function nested(depth: number): unknown {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

test('the text may have 20,000 code points, astral ones too', () => {
  const tooLong = "Expected 'message' to have at most 20000 characters.";
  expect(parseCreate({ message: 'x'.repeat(20_000) }).ok).toBe(true);
  expect(refusal(parseCreate({ message: 'x'.repeat(20_001) }))).toBe(tooLong);
  expect(parseCreate({ message: astral.repeat(20_000) }).ok).toBe(true);
  expect(refusal(parseCreate({ message: astral.repeat(20_001) }))).toBe(tooLong);
  const parts = (length: number) =>
    ['x'.repeat(10_000), 'x'.repeat(length)].map((text) => ({ type: 'text', text }));
  expect(parseCreate({ message: parts(9_999) }).ok).toBe(true);
  expect(refusal(parseCreate({ message: parts(10_000) }))).toBe(tooLong);
});

test('context and answers have 20,000 characters together', () => {
  const together = "Expected 'clientContext' and 'inputResponses' to have at most 20000 characters together.";
  const followUp = (context: number, ...answers: number[]) => ({
    continuationToken: 't',
    clientContext: [astral.repeat(context), 'x'],
    inputResponses: answers.map((length) => ({ requestId: 'r', text: 'x'.repeat(length), optionId: 'yes' })),
  });
  expect(refusal(parseFollowUp(followUp(9_999, 5_000, 4_994)))).toBe('accepted');
  expect(refusal(parseFollowUp(followUp(9_999, 5_000, 4_995)))).toBe(together);
  expect(refusal(parseCreate({ message: 'x', clientContext: 'x'.repeat(20_000) }))).toBe('accepted');
  expect(refusal(parseCreate({ message: 'x', clientContext: ['x'.repeat(20_000), 'y'] }))).toBe(together);
  expect(refusal(parseCreate({ message: 'x', clientContext: { a: 'x'.repeat(19_993) } }))).toBe(together);
});

test('the data of a file may have come as bytes, in no other field', () => {
  const inline = decodeInlineFile('aGk=');
  const file = { type: 'file', mediaType: 'text/plain', data: inline };
  const result = parseCreate({ message: [file] });
  expect(result.ok && result.value.message.parts).toEqual([
    { ...file, data: { kind: 'bytes', bytes: bytesOf('hi') } },
  ]);
  expect(refusal(parseCreate({ message: [{ ...file, data: decodeInlineFile('eve-url:x') }] }))).toBe(
    "File part 'data' must not use a framework-internal ref scheme.",
  );
  expect(refusal(parseCreate({ message: [{ type: 'text', text: inline }] }))).toBe(
    "Text parts require a non-empty 'text' string.",
  );
});

test('lone surrogates become U+FFFD', () => {
  const result = parseCreate({ message: 'a\ud800b', clientContext: { page: '\udc00' } });
  expect(result.ok && result.value.message.text).toBe('a\ufffdb');
  expect(result.ok && result.value.clientContext).toEqual(['{"page":"\ufffd"}']);
});

test('context comes as one entry per text, and an object as its JSON', () => {
  const contextOf = (clientContext: unknown) => {
    const result = parseCreate({ message: 'x', clientContext });
    return result.ok && result.value.clientContext;
  };
  expect(contextOf('a')).toEqual(['a']);
  expect(contextOf(['a', 'b'])).toEqual(['a', 'b']);
  expect(contextOf({ page: '/' })).toEqual(['{"page":"/"}']);
  expect(contextOf('')).toEqual([]);
  expect(contextOf([])).toEqual([]);
});

test('fields of what is not built are ignored', () => {
  const body = { message: 'x', callback: 1, forwardedPrincipal: {} };
  expect(parseCreate(body).ok).toBe(true);
  expect(parseFollowUp({ continuationToken: 't', ...body }).ok).toBe(true);
  const asked = parseCreate({ message: 'x', capabilities: { requestInput: false } });
  expect(asked.ok && asked.value.requestInput).toBe(false);
});

test('a session is a conversation, or a task that hands nothing to a page', () => {
  const modeOf = (mode?: string) => {
    const result = parseCreate({ message: 'x', ...(mode !== undefined && { mode }), clientTools: [] });
    return result.ok && result.value.mode;
  };
  expect([modeOf(), modeOf('conversation'), modeOf('task')]).toEqual([
    'conversation',
    'conversation',
    'task',
  ]);
  const clientTools = [{ name: 'open', description: 'Opens.', parameters: { type: 'object' } }];
  expect(parseCreate({ message: 'x', mode: 'task', clientTools })).toMatchObject({ ok: false });
  expect(parseCreate({ message: 'x', mode: 'conversation', clientTools })).toMatchObject({ ok: true });
});

const answersText = "Expected every 'inputResponses' entry to match the HITL response schema.";

test.each<[string, unknown, string]>([
  ['null', null, 'Expected a JSON object.'],
  ['an array', [], "Missing or empty 'continuationToken' field."],
  ['no token', { message: 5 }, "Missing or empty 'continuationToken' field."],
  ['an empty token', { continuationToken: '', message: 'x' }, "Missing or empty 'continuationToken' field."],
  [
    'nothing to say',
    { continuationToken: 't' },
    "Expected a non-empty 'message', a non-empty 'inputResponses' array, or both.",
  ],
  [
    'an empty message',
    { continuationToken: 't', message: '' },
    "Expected a non-empty 'message', a non-empty 'inputResponses' array, or both.",
  ],
  [
    'a wrong message before wrong answers',
    { continuationToken: 't', message: 5, inputResponses: 5 },
    wrongType,
  ],
  [
    'no answers beside a message',
    { continuationToken: 't', message: 'x', inputResponses: [] },
    "Expected 'inputResponses' to be a non-empty array.",
  ],
  [
    'wrong answers before a wrong context',
    { continuationToken: 't', inputResponses: {}, clientContext: 1 },
    "Expected 'inputResponses' to be a non-empty array.",
  ],
  ['an answer to nothing', { continuationToken: 't', inputResponses: [{ optionId: 'yes' }] }, answersText],
  [
    'an unknown key in an answer',
    { continuationToken: 't', inputResponses: [{ requestId: 'r', value: 1 }] },
    answersText,
  ],
  [
    'null in an answer',
    { continuationToken: 't', inputResponses: [{ requestId: 'r', text: null }] },
    answersText,
  ],
  [
    'U+0000 in an answer',
    { continuationToken: 't', inputResponses: [{ requestId: 'r', text: '\0' }] },
    "Expected 'inputResponses' not to contain U+0000.",
  ],
  [
    'a long answer',
    { continuationToken: 't', inputResponses: [{ requestId: 'r', text: 'x'.repeat(20_001) }] },
    "Expected 'inputResponses.text' to have at most 20000 characters.",
  ],
])('a session is not continued with %s', (_, body, message) => {
  expect(refusal(parseFollowUp(body))).toBe(message);
});

test('answers come as they were given', () => {
  const inputResponses = [
    { requestId: 'r', optionId: 'approve' },
    { requestId: 's', text: 'a\ud800' },
    { requestId: 't' },
  ];
  const result = parseFollowUp({ continuationToken: 'parley:t', inputResponses });
  expect(result).toMatchObject({
    ok: true,
    value: {
      continuationToken: 'parley:t',
      message: null,
      inputResponses: [
        { requestId: 'r', optionId: 'approve' },
        { requestId: 's', text: 'a\ufffd' },
        { requestId: 't' },
      ],
    },
  });
});

test('cancel takes a turn, or nothing', () => {
  expect(parseCancel({})).toEqual({ ok: true, value: { turnId: null } });
  expect(parseCancel({ turnId: 'turn_1' })).toEqual({ ok: true, value: { turnId: 'turn_1' } });
  for (const turnId of ['', 1, null]) {
    expect(refusal(parseCancel({ turnId }))).toBe("Expected 'turnId' to be a non-empty string.");
  }
  for (const body of [[], null, 1]) expect(refusal(parseCancel(body))).toBe('Expected a JSON object.');
});

test('the controls take a token', () => {
  expect(parseToken({ continuationToken: 't' })).toEqual({ ok: true, value: { continuationToken: 't' } });
  for (const continuationToken of [undefined, '', 1, null]) {
    expect(refusal(parseToken({ continuationToken }))).toBe(
      "Expected 'continuationToken' to be a non-empty string.",
    );
  }
  for (const body of [[], null, 't', undefined])
    expect(refusal(parseToken(body))).toBe('Expected a JSON object.');
});

test('feedback rates a turn', () => {
  expect(parseFeedback({ turnId: 'turn_0', rating: 'up' })).toEqual({
    ok: true,
    value: { turnId: 'turn_0', rating: 'up', comment: null },
  });
  expect(parseFeedback({ turnId: 'turn_0', rating: null, comment: 'x' }).ok).toBe(true);
  expect(refusal(parseFeedback({ rating: 'up' }))).toBe("Expected 'turnId' to be a non-empty string.");
  expect(refusal(parseFeedback({ turnId: 't' }))).toBe("Expected 'rating' to be 'up', 'down' or null.");
  expect(refusal(parseFeedback({ turnId: 't', rating: 'up', comment: 1 }))).toBe(
    "Expected 'comment' to be a string.",
  );
});
