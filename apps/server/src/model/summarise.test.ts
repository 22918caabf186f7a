import { expect, test } from 'vitest';
import { summariseRequest, summaryCall } from './summarise.ts';

test('tool calls, results and files become text, so that no tool has to be offered', () => {
  const call = { toolCallId: 'a', toolName: 'get_weather' };
  const { messages, tools } = summaryCall(
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'How is it here?' },
          { type: 'file', mediaType: 'image/png', filename: 'sky.png', data: 'AAAA' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { city: 'Oslo' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'rain' } }] },
    ],
    new AbortController().signal,
  );
  expect(tools).toEqual([]);
  expect(messages).toEqual([
    { role: 'user', content: 'How is it here?\n[file sky.png]' },
    { role: 'assistant', content: '[get_weather called with {"city":"Oslo"}]' },
    { role: 'user', content: '[get_weather answered {"type":"text","value":"rain"}]' },
    { role: 'user', content: summariseRequest },
  ]);
});
