import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { expect, test } from 'vitest';
import { whatKeeps } from './what-keeps.ts';

const agent = (fields: object) => ({ active: true, model: { provider: 'quoting' }, ...fields }) as AgentView;
const key = (allowedOrigins: readonly string[]) => ({ kind: 'publishable', allowedOrigins }) as KeyView;
const said = (fields: object, keys: readonly KeyView[] | null) =>
  whatKeeps(agent(fields), keys).map(({ text }) => text);

test('an agent that a website may speak to is kept by nothing', () => {
  expect(said({}, [key([]), key(['https://shop.example'])])).toEqual([]);
  expect(said({}, null)).toEqual([]);
});

test.each([
  ['Nobody is answered', { active: false }, [key(['https://shop.example'])]],
  ['It has no key', {}, []],
  ['No website may use its key', {}, [key([])]],
  ['It has no model', { model: { provider: 'scripted', script: [{ steps: [{ say: '{{input}}' }] }] } }, null],
  ['No API key of Mistral', { model: { provider: 'mistral' } }, null],
])('%s is said in words', (start, fields, keys) => {
  expect(said(fields, keys)).toEqual([expect.stringMatching(`^${start}`)]);
});
