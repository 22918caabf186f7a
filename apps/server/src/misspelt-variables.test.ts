import { expect, test } from 'vitest';
import { misspeltVariables } from './misspelt-variables.ts';

test('a variable that reads like one of ours is told with the one that is meant', () => {
  expect(
    misspeltVariables({
      DATABSE_URL: 'file:a.db',
      TRUSTED_PROXY: '1',
      OPENAI_API_KEYS: 'sk',
      public_url: 'https://chat.example.com',
      ROLE: 'web',
    }),
  ).toEqual([
    { given: 'DATABSE_URL', meant: 'DATABASE_URL' },
    { given: 'TRUSTED_PROXY', meant: 'TRUST_PROXY' },
    { given: 'OPENAI_API_KEYS', meant: 'OPENAI_API_KEY' },
    { given: 'public_url', meant: 'PUBLIC_URL' },
    { given: 'ROLE', meant: 'ROLES' },
  ]);
});

test('what other programs read, and what stands beside the right name, is nobody’s mistake', () => {
  expect(misspeltVariables({ HOME: '/root', HOSTNAME: 'a', PATH: '/bin', POSTGRES_URL: 'x' })).toEqual([]);
  expect(misspeltVariables({ ADMIN_TOKEN: 'a', ADMIN_TOKEN2: 'b', PORT: '1', PORTS: '2' })).toEqual([]);
});
