import { expect, test } from 'vitest';
import { judgeCall } from './judge-call.ts';

test.for<[verb: string, value: unknown]>([
  ['open', undefined],
  ['open', { focus: false }],
  ['send', 'Hello'],
  ['prefill', ''],
  ['identify', 'eyJ…'],
  ['identify', async () => 'eyJ…'],
  ['update', { theme: 'dark', labels: { send: 'Go' } }],
  ['update', { labels: undefined }],
])('%s takes %o', ([verb, value]) => {
  expect(() => judgeCall(verb, value)).not.toThrow();
});

test.for<[verb: string, value: unknown]>([
  ['send', undefined],
  ['send', 5],
  ['send', ''],
  ['send', ' \n'],
  ['prefill', { text: 'Hello' }],
  ['identify', { token: 'eyJ…' }],
  ['update', undefined],
  ['update', null],
  ['update', 5],
  ['update', { labels: { send: 5 } }],
])('%s does not take %o, and says what it takes', ([verb, value]) => {
  expect(() => judgeCall(verb, value)).toThrow(new RegExp(`^Parley: ${verb} takes .+\\.$`));
});

test.for(['', 'opne', 'toString', 'constructor', 'call'])('there is no call %o', (verb) => {
  expect(() => judgeCall(verb, undefined)).toThrow(`Parley: there is no call ${verb}.`);
});
