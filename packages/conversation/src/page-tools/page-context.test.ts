import { maxBodyBytes } from '@parley/protocol/bounds';
import { createRequestSchema } from '@parley/protocol/session-requests';
import { jsonFault } from '@parley/protocol/text';
import { expect, test } from 'vitest';
import type { ClientTool } from './client-tool.ts';
import { createPageContext as createContext } from './page-context.ts';
import type { ContextValues } from './offered-tool.ts';

const createPageContext = () => createContext(() => import('./page-rules.ts'));

const tool = (name: string, more = {}) => ({
  name,
  description: 'Does it.',
  parameters: { type: 'object' as const },
  run: () => 1,
  ...more,
});

test('a message names the tools as the service takes them, whatever else a page has put into them', async () => {
  const page = createPageContext();
  void page.offer(tool('go', { icon: 'arrow', self: () => page }));
  void page.offer(tool('gone'));
  void page.offer({ name: 'gone', run: null });
  expect(await page.turnOptions(null, page.said())).toEqual({
    clientTools: [{ name: 'go', description: 'Does it.', parameters: { type: 'object' } }],
  });
});

test('more tools than a message can take along are not offered', async () => {
  const page = createPageContext();
  for (let each = 0; each < 20; each++) void page.offer(tool(`tool_${each}`));
  await expect(page.offer(tool('one_more'))).rejects.toThrow('20 tools');
  void page.offer(tool('tool_0', { description: 'Another.' }));
  const long = { type: 'object', description: 'x'.repeat(65_000) };
  await expect(page.offer(tool('tool_0', { parameters: long }))).rejects.toThrow('65536 bytes');
  expect((await page.turnOptions(null, page.said())).clientTools).toHaveLength(20);
});

test('what a page changes in its context and tools after it gave them is not told', async () => {
  const page = createPageContext();
  const values: Record<string, unknown> = { page: 'Pricing' };
  const given = tool('go');
  void page.setValues(values);
  void page.offer(given);
  values['self'] = values;
  given.description = '';
  expect(await page.turnOptions(null, page.said())).toEqual({
    clientContext: { page: 'Pricing' },
    clientTools: [{ name: 'go', description: 'Does it.', parameters: { type: 'object' } }],
  });
});

test('what a visitor has filled in goes before what the page says, where a message cannot take both', async () => {
  const page = createPageContext();
  const values = { text: 'x'.repeat(15_000) };
  void page.setValues(values);
  const said = page.said();
  const contextWith = async (visitor: object, told = said) =>
    (await page.turnOptions(visitor, told)).clientContext;
  expect(await contextWith({ name: 'Ada' })).toEqual({
    ...values,
    visitor: { name: 'Ada' },
  });
  const visitor = { story: 'y'.repeat(6_000) };
  expect(await contextWith(visitor)).toEqual({ visitor });
  expect(await contextWith({ story: 'y'.repeat(20_000) })).toEqual(values);
  expect(await contextWith({ story: 'y'.repeat(20_000) }, Promise.resolve(null))).toBeUndefined();
});

const nested = (levels: number): object => (levels > 1 ? { in: nested(levels - 1) } : {});
/** Whether the service takes a message with these, as its schemas and the bounds of a body say. */
function isTaken(options: { clientContext?: unknown; clientTools?: unknown }): boolean {
  const json = JSON.stringify({ message: 'Hello', ...options });
  const body: unknown = JSON.parse(json);
  return (
    createRequestSchema.safeParse(body).success &&
    jsonFault(body) === null &&
    new TextEncoder().encode(json).length <= maxBodyBytes
  );
}
const isKept = (keeping: Promise<void>): Promise<boolean> =>
  keeping.then(
    () => true,
    () => false,
  );
/** `{"text":"…"}` of so many characters. */
const long = (length: number, character = 'x') => ({ text: character.repeat(length - 11) });

test.for<[kept: boolean, what: string, values: unknown]>([
  [true, 'an object', { page: 'Pricing', basket: [1, null, true] }],
  [true, 'nothing in it', {}],
  [true, '20,000 characters', long(20_000)],
  [false, 'one more', long(20_001)],
  [true, '20,000 characters of two units each', long(20_000, '🌲')],
  [true, 'lines', { text: 'one\ntwo\u2028three' }],
  [false, 'U+0000', { text: 'a\0b' }],
  [false, 'U+0000 in a name', { 'a\0b': 1 }],
  [true, 'the letters of U+0000', { text: String.raw`\u0000 \\u0000` }],
  [false, 'U+0000 after a backslash', { text: '\\\0' }],
  [true, '63 levels', nested(63)],
  [false, '64 levels', nested(64)],
  [false, 'hostile levels', nested(2_000)],
])('a context of %s is kept as the service takes it: %s', async ([kept, , values]) => {
  expect(isTaken({ clientContext: values })).toBe(kept);
  expect(await isKept(createPageContext().setValues(values as ContextValues))).toBe(kept);
});

/** Of the JSON around a text that is all a tool's parameters hold. */
const { length: frame } = '[{"name":"go","description":"Does it.","parameters":{"type":"object","text":""}}]';

test.for<[kept: boolean, what: string, more: object]>([
  [true, 'all it takes', {}],
  [true, 'a short name', { name: 'a' }],
  [true, 'a long name', { name: `A${'b-_'.repeat(21)}` }],
  [false, 'a name that is too long', { name: `A${'b'.repeat(64)}` }],
  [false, 'the name of a tool of every agent', { name: 'ask_question' }],
  [true, 'a name that begins like it', { name: 'ask_questions' }],
  [false, 'a name with a line break', { name: 'add\n' }],
  [false, 'letters of others', { name: 'ſo' }],
  [false, 'no description', { description: '' }],
  [true, 'a long description', { description: 'x\n'.repeat(2_000) }],
  [false, 'one that is too long', { description: 'x'.repeat(4_001) }],
  [false, 'parameters without a type', { parameters: { properties: { a: { type: 'object' } } } }],
  [false, 'a list of parameters', { parameters: [{ type: 'object' }] }],
  [false, 'parameters of another type', { parameters: { type: ['object'] } }],
  [true, 'a schema', { parameters: { type: 'object', properties: { a: { type: 'object' } } } }],
  [false, 'U+0000', { parameters: { type: 'object', description: '\0' } }],
  [false, 'U+0000 in its description', { description: '\0' }],
  [true, '61 levels', { parameters: { type: 'object', in: nested(60) } }],
  [false, '62 levels', { parameters: { type: 'object', in: nested(61) } }],
  [true, '65,536 bytes', { parameters: { type: 'object', text: 'x'.repeat(65_536 - frame) } }],
  [false, 'one more', { parameters: { type: 'object', text: 'x'.repeat(65_537 - frame) } }],
  [false, '65,537 bytes of fewer characters', { parameters: { type: 'object', text: 'ä'.repeat(40_000) } }],
])('a tool of %s is offered as the service takes it: %s', async ([kept, , more]) => {
  const offered = tool('go', more) as ClientTool;
  const { name, description, parameters } = offered;
  expect(isTaken({ clientTools: [{ name, description, parameters }] })).toBe(kept);
  expect(await isKept(createPageContext().offer(offered))).toBe(kept);
});
