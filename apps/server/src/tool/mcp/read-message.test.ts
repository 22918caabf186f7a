import { expect, test } from 'vitest';
import { asksCode, readMessage } from './read-message.ts';

const answer = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const ofCall = (result: unknown) => {
  const read = readMessage(answer(result), { id: 1, method: 'tools/call' });
  return read && JSON.parse(read.json);
};
const nested = (depth: number): object => JSON.parse('{"a":'.repeat(depth) + '{}' + '}'.repeat(depth));

test('a call gives one text, of its parts or of what is structured', () => {
  const text = (value: string) => ({ result: { content: [{ type: 'text', text: value }], isError: false } });
  const resource = { uri: 'file:///a', text: 'inside' };
  const parts = [{ type: 'text', text: 'a' }, { type: 'resource', resource }, { type: 'audio' }];
  expect(ofCall({ content: parts, structuredContent: 1 })).toMatchObject(
    text('a\ninside\n[audio, not shown]'),
  );
  expect(ofCall({ content: [], structuredContent: { b: 1 } })).toMatchObject(text('{"b":1}'));
  expect(ofCall({ structuredContent: nested(1_000) })).toMatchObject(
    text('[nested too deep, or with a NUL: not shown]'),
  );
  expect(ofCall({ content: {}, structuredContent: {} }).result).toEqual({ content: null });
});

test('a call that asks for something is refused, and one that asks for nothing goes on', () => {
  const asking = { resultType: 'input_required', requestState: 'half' };
  expect(ofCall(asking)).toMatchObject({ result: asking });
  expect(ofCall({ ...asking, inputRequests: { a: { method: 'sampling/createMessage' } } })).toMatchObject({
    error: { code: asksCode },
  });
});

test('a message is kept as it is where nothing of it is too long, and one that nests without end is none', () => {
  const deep = `{"jsonrpc":"2.0","id":1,"result":{"tools":[${'['.repeat(60_000)}${']'.repeat(60_000)}]}}`;
  const listing = { id: 1, method: 'tools/list' };
  expect(readMessage(deep, listing)).toEqual({ json: deep, isAnswer: true });
  expect(readMessage(deep.replace('[', `[${'1,'.repeat(600)}`), listing)).toEqual({
    json: expect.stringMatching(/1\]\}\}$/),
    isAnswer: true,
  });
  expect(readMessage(deep, { id: 1, method: 'tools/call' })).toMatchObject({ isAnswer: true });
  expect(readMessage('[]', listing)).toBeNull();
  expect(readMessage(answer({}), { ...listing, id: 2 })).toMatchObject({ isAnswer: false });
  for (const id of ['null', '""', '[]', '{"toString":1}'])
    expect(readMessage(`{"id":${id},"result":{}}`, { ...listing, id: 0 })).toMatchObject({ isAnswer: false });
});

test('of a message that carries thousands of fields, those that are read are left', () => {
  const ballast = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 1]));
  const json = (message: object, method: string) => {
    const read = readMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message, ...ballast }), {
      id: 1,
      method,
    });
    return read && JSON.parse(read.json);
  };
  const asked = { method: 'elicitation/create', params: { message: 'Who?' } };
  expect(json(asked, 'tools/call')).toEqual({ jsonrpc: '2.0', id: 1, method: asked.method });
  const error = { code: 1, message: 'No.' };
  expect(json({ error }, 'tools/call')).toEqual({ jsonrpc: '2.0', id: 1, error });
  const info = { 'io.modelcontextprotocol/serverInfo': { name: 'Test', version: '1' } };
  const found = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
  const result = { ...found, _meta: { ...info, ...ballast }, ...ballast };
  expect(json({ result }, 'server/discover').result).toEqual({ ...found, _meta: info });
});
