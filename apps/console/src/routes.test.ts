import { expect, test } from 'vitest';
import { routeOf } from './routes.ts';

test.each([
  ['', 'agents'],
  ['agents/agent_1/history', 'agents/:agent/history'],
  ['contacts/board', 'contacts/board'],
  ['contacts/contact_1', 'contacts/:contact'],
  ['inbox/all/ses_1', 'inbox/:view/:conversation'],
  ['contacts/imports', null],
  ['agents/agent_1/history/2', null],
  ['inbox/spam', null],
  ['nowhere', null],
])('#/%s is %s', (path, route) => {
  expect(routeOf(path.split('/').filter(Boolean))).toBe(route);
});
