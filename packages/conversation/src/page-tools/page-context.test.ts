import { expect, test } from 'vitest';
import { createPageContext } from './page-context.ts';

const tool = (name: string, more = {}) => ({
  name,
  description: 'Does it.',
  parameters: { type: 'object' as const },
  run: () => 1,
  ...more,
});

test('a message names the tools as the service takes them, whatever else a page has put into them', () => {
  const page = createPageContext();
  page.offer(tool('go', { icon: 'arrow', self: () => page }));
  page.offer(tool('gone'));
  page.offer({ name: 'gone', run: null });
  expect(page.turnOptions(null, null)).toEqual({
    clientTools: [{ name: 'go', description: 'Does it.', parameters: { type: 'object' } }],
  });
});

test('more tools than a message can take along are not offered', () => {
  const page = createPageContext();
  for (let each = 0; each < 20; each++) page.offer(tool(`tool_${each}`));
  expect(() => page.offer(tool('one_more'))).toThrow('Parley: there are more than 20 tools');
  page.offer(tool('tool_0', { description: 'Another.' }));
  expect(() => page.offer(tool('tool_0', { description: 'x'.repeat(60_000) }))).toThrow('60000 characters');
  expect(page.turnOptions(null, null).clientTools).toHaveLength(20);
});
