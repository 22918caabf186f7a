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

test('what is asked of other readers is none of this one’s business, however many they are', () => {
  const others = Array.from({ length: 10_000 }, (_, n) => `User-agent: reader${n}`);
  const rules = Array.from({ length: 2_000 }, (_, n) => `Disallow: /page${n}x`);
  const lines = [
    ...others,
    ...rules,
    'User-agent: other # and',
    'User-agent: *',
    'Disallow: /all',
    'User-agent: other',
    'Disallow: /theirs',
    'User-agent: parleyreader/1.0',
    'Crawl-delay: 1',
    'User-agent: other',
    'Disallow: /',
  ];
  const robots = parseRobots(`${home}robots.txt`, lines.join('\n'));
  const isDisallowed = (path: string) => robots.isDisallowed(home + path, 'ParleyReader');
  expect(['page1x', 'all', 'theirs'].map(isDisallowed)).toEqual([false, true, false]);
});
