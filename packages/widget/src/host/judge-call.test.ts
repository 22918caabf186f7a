import { expect, test } from 'vitest';
import { judgeCall } from './judge-call.ts';

const tool = { name: 'add', description: 'Adds.', parameters: { type: 'object' }, run: () => 1 };
const circular: Record<string, unknown> = {};
circular['self'] = circular;

test.for<[verb: string, value: unknown]>([
  ['open', undefined],
  ['open', { focus: false }],
  ['send', 'Hello'],
  ['prefill', ''],
  ['identify', 'eyJ…'],
  ['identify', async () => 'eyJ…'],
  ['update', { theme: 'dark', labels: { send: 'Go' } }],
  ['update', { labels: undefined }],
  ['context', { page: 'Pricing', basket: [1, 2] }],
  ['context', null],
  ['context', { text: `one${'\n'}two` }],
  ['tool', tool],
  ['tool', { ...tool, parameters: { type: 'object', properties: { a: { type: 'string' } } } }],
  ['tool', { name: 'add', run: null }],
])('%s takes %o', ([verb, value]) => {
  expect(() => judgeCall(verb, value)).not.toThrow();
});

test.for<[verb: string, value: unknown]>([
  ['send', undefined],
  ['send', 5],
  ['prefill', { text: 'Hello' }],
  ['identify', { token: 'eyJ…' }],
  ['update', undefined],
  ['update', { labels: { send: 5 } }],
  ['context', undefined],
  ['context', 'Pricing'],
  ['context', ['Pricing']],
  ['context', circular],
  ['context', { count: 1n }],
  ['context', { text: 'x'.repeat(20_000) }],
  ['tool', null],
  ['tool', { ...tool, name: 'add it' }],
  ['tool', { ...tool, name: undefined }],
  ['tool', { ...tool, run: 'add()' }],
  ['tool', { ...tool, run: undefined }],
  ['tool', { ...tool, description: '' }],
  ['tool', { ...tool, parameters: undefined }],
  ['tool', { ...tool, parameters: circular }],
])('%s does not take %o, and says what it takes', ([verb, value]) => {
  expect(() => judgeCall(verb, value)).toThrow(new RegExp(`^Parley: ${verb} takes .+\\.$`));
});

test.for(['', 'opne', 'toString', 'constructor', 'call'])('there is no call %o', (verb) => {
  expect(() => judgeCall(verb, undefined)).toThrow(`Parley: there is no call ${verb}.`);
});
