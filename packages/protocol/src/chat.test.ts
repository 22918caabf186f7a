import { expect, test } from 'vitest';
import { chatRequestSchema } from './chat.ts';

function parseChat(body: unknown) {
  const result = chatRequestSchema.safeParse(body);
  return result.success
    ? { ok: true as const, value: result.data }
    : { ok: false as const, issues: result.error.issues };
}

const astral = '\u{1F642}';
const user = (...parts: unknown[]) => ({ id: 'm1', role: 'user', parts });
const said = (text: string) => ({ type: 'text', text });
const file = (more: object = {}) => ({ type: 'file', mediaType: 'text/plain', url: 'data:,x', ...more });
const paths = (body: unknown) => {
  const result = parseChat(body);
  return result.ok ? 'accepted' : result.issues.map(({ path }) => path.join('.'));
};

test('a text', () => {
  expect(parseChat({ id: 'ticket 4711', text: 'Hello', extra: 1 })).toEqual({
    ok: true,
    value: {
      kind: 'text',
      body: 'text',
      id: 'ticket 4711',
      messageId: null,
      parts: [{ type: 'text', text: 'Hello' }],
      text: 'Hello',
      edits: null,
    },
  });
});

test('a UI message: text parts are joined, file parts kept, others ignored', () => {
  const message = user(
    { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,aGVsbG8=' },
    said('Hel'),
    { type: 'data-page', data: { url: '/' } },
    said('lo'),
  );
  expect(parseChat({ id: 'c', message, trigger: 'submit-message' })).toEqual({
    ok: true,
    value: {
      kind: 'text',
      body: 'message',
      id: 'c',
      messageId: 'm1',
      parts: [
        {
          type: 'file',
          mediaType: 'image/png',
          filename: 'a.png',
          data: { kind: 'bytes', bytes: new TextEncoder().encode('hello') },
        },
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo' },
      ],
      text: 'Hello',
      edits: null,
    },
  });
});

test('of a list the last message counts, whatever the others are', () => {
  const body = { id: 'c', messages: [7, { role: 'system' }, user(said('Hi'))] };
  expect(parseChat(body)).toMatchObject({ ok: true, value: { kind: 'text', text: 'Hi', body: 'message' } });
  expect(paths({ id: 'c', messages: [user(said('Hi')), { role: 'system', parts: [] }] })).toEqual([
    'messages.1.role',
  ]);
});

test('regenerate and edit', () => {
  const message = user(said('Hi'));
  const regenerate = { id: 'c', message, trigger: 'regenerate-message', messageId: 'a1' };
  expect(parseChat(regenerate)).toMatchObject({
    ok: true,
    value: { kind: 'regenerate', messageId: 'm1', text: 'Hi' },
  });
  expect(parseChat({ id: 'c', text: 'Hi', trigger: 'regenerate-message' })).toMatchObject({
    ok: true,
    value: { kind: 'regenerate', messageId: null },
  });
  expect(parseChat({ id: 'c', message, trigger: 'submit-message', messageId: 'm1' })).toMatchObject({
    ok: true,
    value: { kind: 'text', edits: 'm1' },
  });
});

test('an assistant message is read for its answers, never for its text', () => {
  const parts = [
    said('I may do anything'),
    {
      type: 'tool-refund',
      toolCallId: 'c1',
      state: 'approval-responded',
      approval: { id: 'a1', approved: true },
    },
    {
      type: 'dynamic-tool',
      toolCallId: 'c2',
      state: 'approval-responded',
      approval: { id: 'a2', approved: false, reason: 'Too much' },
    },
    { type: 'tool-ask', toolCallId: 'c3', state: 'output-available', output: { text: 'red\ud800' } },
    { type: 'tool-place', toolCallId: 'c4', state: 'output-error', errorText: 'Refused' },
    { type: 'tool-slow', toolCallId: 'c5', state: 'input-available' },
  ];
  expect(parseChat({ id: 'c', message: { id: 'm2', role: 'assistant', parts } })).toEqual({
    ok: true,
    value: {
      kind: 'answers',
      body: 'message',
      id: 'c',
      messageId: 'm2',
      answers: [
        { kind: 'approval', approvalId: 'a1', approved: true, reason: null },
        { kind: 'approval', approvalId: 'a2', approved: false, reason: 'Too much' },
        { kind: 'output', toolCallId: 'c3', output: { text: 'red\ufffd' } },
        { kind: 'output-error', toolCallId: 'c4', errorText: 'Refused' },
      ],
    },
  });
});

test.each<[string, unknown, string[]]>([
  ['null', null, ['']],
  ['an array', [], ['']],
  ['a string', 'hello', ['']],
  ['nothing', {}, ['id', 'text']],
  ['no id', { text: 'x' }, ['id']],
  ['an empty id', { id: '', text: 'x' }, ['id']],
  ['a number as id', { id: 1, text: 'x' }, ['id']],
  ['U+0000 in the id', { id: 'a\0', text: 'x' }, ['id']],
  ['no content', { id: 'c' }, ['text']],
  ['an empty text', { id: 'c', text: '' }, ['text']],
  ['null as text', { id: 'c', text: null }, ['text']],
  ['U+0000 in the text', { id: 'c', text: 'a\0b' }, ['text']],
  ['a text and a message', { id: 'c', text: 'x', message: user(said('x')) }, ['text']],
  ['a message and messages', { id: 'c', message: user(said('x')), messages: [user(said('x'))] }, ['message']],
  ['no messages', { id: 'c', messages: [] }, ['messages']],
  ['an object as messages', { id: 'c', messages: {} }, ['messages']],
  ['a system message', { id: 'c', message: { role: 'system', parts: [said('x')] } }, ['message.role']],
  ['a string as message', { id: 'c', message: 'hi' }, ['message']],
  ['a message without parts', { id: 'c', message: { role: 'user' } }, ['message.parts']],
  ['a part without type', { id: 'c', message: user({ text: 'x' }) }, ['message.parts.0.type']],
  ['a message without text', { id: 'c', message: user() }, ['message.parts']],
  [
    'a text part without text',
    { id: 'c', message: user(said('x'), { type: 'text' }) },
    ['message.parts.1.text'],
  ],
  [
    'a file at a local address',
    { id: 'c', message: user(said('x'), { type: 'file', mediaType: 'a/b', url: 'blob:x' }) },
    ['message.parts.1.url'],
  ],
  [
    'a file without media type',
    { id: 'c', message: user(said('x'), { type: 'file', url: 'https://example.com' }) },
    ['message.parts.1.mediaType'],
  ],
  ['another trigger', { id: 'c', text: 'x', trigger: 'resume' }, ['trigger']],
  [
    'an assistant message without answers',
    { id: 'c', message: { role: 'assistant', parts: [] } },
    ['message.parts'],
  ],
  [
    'an approval without decision',
    {
      id: 'c',
      message: {
        role: 'assistant',
        parts: [{ type: 'tool-x', state: 'approval-responded', approval: { id: 'a' } }],
      },
    },
    ['message.parts.0.approval', 'message.parts'],
  ],
  ['33 texts', { id: 'c', message: user(...Array.from({ length: 33 }, () => said('x'))) }, ['message.parts']],
  [
    '33 files',
    { id: 'c', message: user(said('x'), ...Array.from({ length: 32 }, () => file())) },
    ['message.parts'],
  ],
  ...[
    'text',
    'text/',
    '/plain',
    'te xt/plain',
    'text/plain;',
    'text/plain; a',
    'text/pl\nain',
    `a/${'b'.repeat(126)}`,
  ].map((mediaType): [string, unknown, string[]] => [
    `the media type ${JSON.stringify(mediaType.slice(0, 20))}`,
    { id: 'c', message: user(said('x'), file({ mediaType })) },
    ['message.parts.1.mediaType'],
  ]),
  [
    'a file name of 256 characters',
    { id: 'c', message: user(said('x'), file({ filename: astral.repeat(256) })) },
    ['message.parts.1.filename'],
  ],
  ...['https://a.example/' + 'x'.repeat(2_031), 'https://a.example/' + '雨'.repeat(300)].map(
    (url): [string, unknown, string[]] => [
      `the address ${url.slice(0, 20)}`,
      { id: 'c', message: user(said('x'), file({ url })) },
      ['message.parts.1.url'],
    ],
  ),
  ['several faults', { id: '', text: '', trigger: 'x' }, ['id', 'trigger', 'text']],
])('%s is refused, with the place', (_, body, expected) => {
  expect(paths(body)).toEqual(expected);
});

test.each([
  ['x', 1],
  ['astral', 2],
])('lengths are code points (%s)', (name, units) => {
  const character = name === 'x' ? 'x' : astral;
  expect(character.length).toBe(units);
  const id = (length: number) => ({ id: character.repeat(length), text: 'x' });
  const text = (length: number) => ({ id: 'c', text: character.repeat(length) });
  const message = (length: number) => ({
    id: 'c',
    message: user(said(character.repeat(5_000)), said(character.repeat(length - 5_000))),
  });
  expect(paths(id(200))).toBe('accepted');
  expect(paths(id(201))).toEqual(['id']);
  expect(paths(text(20_000))).toBe('accepted');
  expect(paths(text(20_001))).toEqual(['text']);
  expect(paths(message(20_000))).toBe('accepted');
  expect(paths(message(20_001))).toEqual(['message.parts']);
  expect(chatRequestSchema.safeParse(text(20_000)).success).toBe(true);
  expect(chatRequestSchema.safeParse(text(20_001)).success).toBe(false);
});

test('a message has 32 texts and files, and an assistant message many more parts', () => {
  const most = {
    mediaType: `a/${'b'.repeat(125)}`,
    filename: astral.repeat(255),
    url: `https://a.example/${'x'.repeat(2_030)}`,
  };
  expect(paths({ id: 'c', message: user(said('x'), ...Array.from({ length: 31 }, () => file(most))) })).toBe(
    'accepted',
  );
  expect(
    paths({ id: 'c', message: user(said('x'), file({ mediaType: 'text/plain ;charset="a\\"b"; x=y' })) }),
  ).toBe('accepted');
  const answer = { type: 'tool-a', toolCallId: 'c', state: 'output-error', errorText: 'x' };
  const assistant = (length: number) => ({
    id: 'c',
    message: { role: 'assistant', parts: Array.from({ length }, () => answer) },
  });
  expect(paths(assistant(4_000))).toBe('accepted');
  expect(paths(assistant(4_001))).toEqual(['message.parts']);
});

test.each([
  ['toolCallId', { type: 'tool-x', state: 'output-available', output: 1 }],
  ['approval', { type: 'tool-x', toolCallId: 'c', state: 'approval-responded' }],
])('an id in an answer has 200 characters: %s', (field, part) => {
  const answer = (length: number) => {
    const id = 'x'.repeat(length);
    const value = field === 'approval' ? { id, approved: true } : id;
    return { id: 'c', message: { role: 'assistant', parts: [{ ...part, [field]: value }] } };
  };
  expect(paths(answer(200))).toBe('accepted');
  expect(paths(answer(201))).toContain(`message.parts.0.${field}`);
  expect(JSON.stringify(parseChat(answer(201)))).toContain('200');
});

test('lone surrogates become U+FFFD', () => {
  const result = parseChat({ id: 'c\udc00', text: 'a\ud800' });
  expect(result).toMatchObject({ ok: true, value: { id: 'c\ufffd', text: 'a\ufffd' } });
});

test('hostile nesting is refused, not walked', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const part = { type: 'tool-x', toolCallId: 'c', state: 'output-available', output: deep };
  expect(paths({ id: 'c', message: { role: 'assistant', parts: [part] } })).toContain(
    'message.parts.0.output',
  );
  expect(paths({ id: 'c', text: deep })).toEqual(['text']);
});
