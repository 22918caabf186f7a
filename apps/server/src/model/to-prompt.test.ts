import { expect, test } from 'vitest';
import { toPrompt } from './to-prompt.ts';

const result = (toolCallId: string) =>
  ({ type: 'tool-result', toolCallId, toolName: 'get', output: { type: 'text', value: 'ok' } }) as const;

test('the results of a step are one message, and nothing empty is sent', () => {
  expect(
    toPrompt('', [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [] },
      { role: 'tool', content: [result('a')] },
      { role: 'tool', content: [result('b')] },
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'And?' },
        ],
      },
    ]),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'tool', content: [result('a'), result('b')] },
    { role: 'user', content: [{ type: 'text', text: 'And?' }] },
  ]);
});

test('an image is sent as what its first bytes say', () => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0]).toString('base64');
  const [message] = toPrompt(undefined, [
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: jpeg }] },
  ]);
  expect(message?.content).toEqual([
    { type: 'file', mediaType: 'image/jpeg', data: { type: 'data', data: jpeg } },
  ]);
});
