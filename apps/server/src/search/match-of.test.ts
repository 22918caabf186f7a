import { expect, test } from 'vitest';
import { matchOf } from './match-of.ts';

const shown = (message: string, query: string) => {
  const { before, words, after } = matchOf(message, query);
  return `${before}[${words}]${after}`;
};

test.each([
  ['We open at nine.', 'open', 'We [open] at nine.'],
  ['Zwei Cafés\n\nin der Straße', 'cafe', 'Zwei [Cafés] in der Straße'],
  ['Your deliveries are late.', 'delivery', 'Your [deliveries] are late.'],
  ['It is reopened, and open.', 'open', 'It is reopened, and [open].'],
  ['Reopened.', 'open', 'Re[opened].'],
  ['何時に開店しますか', '開店', '何時に[開店しますか]'],
  ['한국어로 쓰기', '한국', '[한국어로] 쓰기'],
  ['Of somebody else', 'ada', '[]Of somebody else'],
  ['Nothing', '"', '[]Nothing'],
])('%s is found by %s', (message, query, expected) => {
  expect(shown(message, query)).toBe(expected);
});

test.each([
  ['Of another form', '閉店', '', ''],
  ['Behind the words', '開店', '', '開店'],
])('%s: of a long text without spaces more is shown', (_case, query, before, words) => {
  const text = `開店 ${'長'.repeat(400)}`;
  const match = matchOf(text, query);
  expect(match).toMatchObject({ before, words });
  expect(words + match.after).toBe(`${text.slice(0, 180)}…`);
});

test('of a long message the place is shown, whole characters and whole words', () => {
  const far = shown(`${'𝒳 lorem '.repeat(2_000)}heron ${'ipsum '.repeat(2_000)}`, 'heron');
  expect(far).toMatch(/^…(?:𝒳 )?(?:lorem )?(?:𝒳 lorem )*\[heron\] (?:ipsum )*ipsum…$/u);
  expect(far.length).toBeLessThan(200);
  const endless = shown(`${'x'.repeat(9_000)}`, 'xxx');
  expect(endless.length).toBeLessThan(300);
  expect(shown('😀'.repeat(400), '?')).toBe(`[]${'😀'.repeat(90)}…`);
  expect(shown(`a${'😀'.repeat(400)}`, '?')).toBe(`[]a${'😀'.repeat(89)}…`);
  expect(shown(`a${'\u0301'.repeat(20_000)}b`, 'b').length).toBeLessThan(300);
});
