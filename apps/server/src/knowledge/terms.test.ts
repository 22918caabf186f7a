import { expect, test } from 'vitest';
import { compoundTermsOf, termsOf } from './terms.ts';

test.each([
  ['How do I reset my Passwords?', 'how do i reset my password'],
  ['node.js readFile max_old_space', 'node js nodej read file readfil max old spac maxoldspac'],
  ['Öffnungszeiten der Straßenbahn', 'offnungszeit der strassenbah'],
  ['Café, naïve, ĄĘ', 'cafe naiv ae'],
  ['東京でパスワードを', '東京 京で でパ パス スワ ワー ード ドを'],
  ['水', '水'],
  ['㍿', '株式 式会 会社'],
  ['如何重置密码？', '如何 何重 重置 置密 密码'],
  ['ﾊﾟｽ', 'パス'],
  ['วิธีรีเซ็ตรหัสผ่าน', 'วิธี รีเซ็ต รหัส ผ่าน'],
  ['Запустить СЕРВЕР', 'запустить сервер'],
  ['कुंजी', 'कुंजी'],
  ['v3 を 使う', 'v3 を 使う'],
  ['Daten\u00ADschutz', 'datenschutz'],
  ['!? … “”', ''],
])('%j is found by %j', (text, terms) => {
  expect(termsOf(text).join(' ')).toBe(terms);
});

test('characters that stand for many make no text much longer', () => {
  const terms = termsOf('\ufdfa'.repeat(1_400));
  expect(terms.join(' ').length).toBeLessThanOrEqual(2_400);
});

test('a term has letters, digits and marks only, and an end', () => {
  const terms = termsOf(`${'a'.repeat(500)} x'y ${'𠀀'.repeat(60)} a\0b \u{1F600} 'quoted' "x" | & ! ( )`);
  for (const term of terms) {
    expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
    expect(term.length).toBeLessThanOrEqual(40);
  }
});

test('of marks that no language puts behind each other, what nobody reads is left out', () => {
  expect(termsOf(`क${'\u093C'.repeat(60)} b`)).toEqual([`क${'\u093C'.repeat(30)}`, 'b']);
});

test.each([
  ['E-Mail, online\u2011shop', 'email onlineshop'],
  ['from 1,000 to 12,500,000', '1000 12500000'],
  ['Bed-and-Breakfast', 'bedandbreakfast'],
  ['10-20, 1,2,3, a - b, 東-京, one-two-three-four-five-six-seven', ''],
])('%j is found written together, by %j', (text, terms) => {
  expect(compoundTermsOf(text).join(' ')).toBe(terms);
});

test('words are put together of a long text that no space and no hyphen divides', () => {
  expect(compoundTermsOf(`${'漢'.repeat(100_000)} e-mail`)).toEqual(['email']);
});
