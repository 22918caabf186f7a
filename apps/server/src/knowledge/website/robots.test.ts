import { expect, test } from 'vitest';
import { parseRobots } from './robots.ts';

const home = 'https://docs.example/';
const asks = (rules: readonly string[], path: string) =>
  parseRobots(`${home}robots.txt`, `User-agent: *\n${rules.join('\n')}`).isDisallowed(home + path, 'Reader');

test('rules are obeyed as far as they can be looked at for every page', () => {
  const many = Array.from({ length: 2_000 }, (_, n) => `Disallow: /page${n}x`);
  expect(asks(['Disallow: /*/private$', ...many], 'a/private')).toBe(true);
  expect(asks(many, 'page1999x')).toBe(true);
  expect(asks([...many, 'Disallow: /late'], 'late')).toBe(false);
});

test('rules that are built to take long are left out, and what is plain beside them is obeyed', () => {
  const slow = Array.from({ length: 800 }, () => `Disallow: /${'*a'.repeat(200)}$`);
  const rules = [...slow, 'Disallow: /*late', 'Disallow: /plain'];
  expect(asks(rules, 'late')).toBe(false);
  expect(asks(rules, 'plain')).toBe(true);
});
