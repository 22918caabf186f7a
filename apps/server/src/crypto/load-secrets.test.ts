import { expect, test } from 'vitest';
import { ConfigError } from '../config.ts';
import { testStore } from '../testing/test-store.ts';
import { loadSecrets } from './load-secrets.ts';

const base = (word: string) => [`${word} base of at least thirty-two characters`];

test('of two processes that start at once in an empty database under different bases, one is refused', async () => {
  const { settings } = await (await testStore()).open();
  const bases = [base('first'), base('second')];
  let begun = 0;
  const { promise: allBegun, resolve } = Promise.withResolvers<void>();
  // Each has seen by then that the database was written under none.
  const reencrypt = () => {
    if (++begun === bases.length) resolve();
    return allBegun;
  };
  const starts = await Promise.allSettled(
    bases.map((secretKeyBase) => loadSecrets({ secretKeyBase, databaseFile: '' }, settings, reencrypt)),
  );
  const refused = starts.filter((start) => start.status === 'rejected');
  expect(refused.map(({ reason }) => reason instanceof ConfigError)).toEqual([true]);
  const started = bases[starts.findIndex(({ status }) => status === 'fulfilled')];
  await loadSecrets({ secretKeyBase: started, databaseFile: '' }, settings, () => Promise.resolve());
});
