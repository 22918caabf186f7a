import { expect, test } from 'vitest';
import type { Message } from '../../model/message.ts';
import type { HistoryMessage } from '../context.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { fitPrompt } from './fit-prompt.ts';
import { storedFileName } from './stored-file.ts';

const user = (turn: number, content: string): HistoryMessage => ({
  turn,
  message: { role: 'user', content },
});
const file = (turn: number): HistoryMessage => ({
  turn,
  message: {
    role: 'user',
    content: [
      {
        type: 'file',
        mediaType: 'application/pdf',
        filename: `${turn}.pdf`,
        data: storedFileName({ id: `file_${turn}`, size: 200_000 }),
      },
    ],
  },
});
const result = (turn: number, value: string): HistoryMessage => ({
  turn,
  message: {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'look',
        output: { type: 'json', value: { found: value } },
      },
      { type: 'tool-result', toolCallId: 'b', toolName: 'look', output: { type: 'text', value: 'short' } },
    ],
  },
});
const call = (turn: number, input: Record<string, unknown>): HistoryMessage => ({
  turn,
  message: {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input }],
  },
});
const fit = (tokens: number, ...entries: HistoryMessage[]) => fitPrompt(entries, { tokens, currentTurn: 2 });
const written = (messages: readonly Message[]) => JSON.stringify(messages);

test('what fits stays as it is', () => {
  const entries = [file(1), user(2, 'hi'), result(2, 'x'.repeat(1_000))];
  expect(fit(10_000, ...entries)).toEqual(entries.map(({ message }) => message));
});

test('files of earlier turns go first, results are cut next, the newest files follow, and text is cut at last', () => {
  const entries = [
    file(1),
    file(2),
    user(2, 'y'.repeat(6_000)),
    call(2, { a: 'b' }),
    result(2, 'x'.repeat(30_000)),
  ];
  const whole = estimateTokens(entries.map(({ message }) => message));
  const after = (tokens: number) => {
    const messages = fit(tokens, ...entries);
    expect(estimateTokens(messages)).toBeLessThanOrEqual(tokens);
    const text = written(messages);
    return {
      oldFile: text.includes('file_1'),
      newFile: text.includes('file_2'),
      results: !text.includes('bytes are left out here.]\\\\nxx') && !/x\\n\[\d+ bytes/.test(text),
      said: text.includes('y'.repeat(6_000)),
      short: text.includes('short'),
    };
  };
  const all = { oldFile: true, newFile: true, results: true, said: true, short: true };
  expect(after(whole)).toEqual(all);
  expect(after(whole - 1)).toEqual({ ...all, oldFile: false });
  expect(after(9_000)).toEqual({ ...all, oldFile: false, results: false });
  expect(after(3_000)).toEqual({ ...all, oldFile: false, newFile: false, results: false });
  expect(after(1_500)).toEqual({ oldFile: false, newFile: false, results: false, said: false, short: true });
});

test('arguments that were cut are still an object', () => {
  const [message] = fit(1_000, call(2, { text: 'z'.repeat(60_000) }));
  expect(message).toMatchObject({
    content: [{ input: { arguments: expect.stringMatching(/z\n\[\d+ bytes/) } }],
  });
});

test('a cut through a character of several bytes leaves no half of it', () => {
  const [message] = fit(1_000, user(2, '語😀'.repeat(3_000)));
  expect(message!.content).toMatch(/^(語|😀)+\n\[\d+ bytes are left out here\.\]\n(語|😀)+$/u);
});

test('text of any language is taken for about as many tokens as it has, or more', () => {
  const tokens = (content: string) =>
    estimateTokens([{ role: 'user', content }]) - estimateTokens([{ role: 'user', content: '' }]);
  expect(tokens('word '.repeat(1_000))).toBeGreaterThan(1_000);
  expect(tokens('漢字'.repeat(500))).toBe(1_000);
});
