import { expect, test } from 'vitest';
import { firstIssue } from './first-issue.ts';
import { createRequestSchema, followUpRequestSchema } from './session-requests.ts';

const tool = { name: 'open_page', description: 'Opens a page', parameters: { type: 'object' } };
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...tool, name: `tool_${n}` }));

const tools = (clientTools: unknown) => {
  const parsed = createRequestSchema.safeParse({ message: 'x', clientTools });
  return parsed.success ? parsed.data.clientTools : { ok: false, ...firstIssue(parsed.error) };
};

const results = (actionResults: unknown) => {
  const parsed = followUpRequestSchema.safeParse({ continuationToken: 't', actionResults });
  return parsed.success ? parsed.data.actionResults : { ok: false, ...firstIssue(parsed.error) };
};

test('tools of the page are taken as they are; none given and an empty list are not the same', () => {
  expect(tools([tool])).toEqual([tool]);
  expect(tools(many(20))).toHaveLength(20);
  expect(tools([])).toEqual([]);
  expect(tools(undefined)).toBeNull();
});

test.each<[string, unknown, (string | number)[]]>([
  ['no list', 'x', ['clientTools']],
  ['21 tools', many(21), ['clientTools']],
  ['more than 64 KiB', [{ ...tool, parameters: { type: 'object', x: 'x'.repeat(65_536) } }], ['clientTools']],
  ['a name twice', [tool, tool], ['clientTools', 1]],
  ['a name with a blank', [{ ...tool, name: 'open page' }], ['clientTools', 0, 'name']],
  ['the name of a tool of every agent', [{ ...tool, name: 'ask_question' }], ['clientTools', 0, 'name']],
  ['no description', [{ ...tool, description: undefined }], ['clientTools', 0, 'description']],
  [
    'parameters that are no object',
    [{ ...tool, parameters: { type: 'string' } }],
    ['clientTools', 0, 'parameters', 'type'],
  ],
  ['a field nobody knows', [{ ...tool, approval: 'never' }], ['clientTools', 0]],
  ['U+0000', [{ ...tool, description: 'a\0b' }], ['clientTools']],
])('%s is refused as tools', (_case, value, path) => {
  expect(tools(value)).toMatchObject({ ok: false, path });
});

test('a tool without a description is told what is missing', () => {
  expect(tools([{ ...tool, description: undefined }])).toMatchObject({
    message: "Expected every 'clientTools' entry to be {name, description, parameters}: It is missing.",
  });
});

test('a result is an output of any JSON, or an error in words, and stands without a message', () => {
  const given = [
    { callId: 'a', output: null },
    { callId: 'b', output: { rows: [1, 'two'] } },
    { callId: 'c', error: 'No such page.' },
  ];
  expect(results(given)).toEqual(given);
  expect(results([{ callId: 'a', output: '\ud800' }])).toEqual([{ callId: 'a', output: '\ufffd' }]);
});

test.each<[string, unknown]>([
  ['an empty list', []],
  ['no list', {}],
  ['101 results', Array.from({ length: 101 }, (_, n) => ({ callId: `${n}`, output: n }))],
  ['neither output nor error', [{ callId: 'a' }]],
  ['both', [{ callId: 'a', output: 1, error: 'x' }]],
  ['an error that is not a text', [{ callId: 'a', error: { message: 'x' } }]],
  ['no call', [{ output: 1 }]],
  ['U+0000', [{ callId: 'a', output: 'a\0b' }]],
])('%s is refused as results', (_case, value) => {
  expect(results(value)).toMatchObject({ ok: false, path: expect.arrayContaining(['actionResults']) });
});
