import { expect, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { testStore } from '../testing/test-store.ts';
import { signInQuotas } from './sign-in-quotas.ts';

const secrets = createSecrets(['s'.repeat(48)]);

test('guesses from many addresses end for a name, and not for a browser that knows it', async () => {
  const store = await (await testStore()).open();
  const attempt = (address: string, { account = 'ada', isKnown = false } = {}) =>
    store.countQuotas(signInQuotas(secrets, { account, address, isKnown }));
  for (let n = 0; n < 100; n += 10) {
    const tries = await Promise.all(Array.from({ length: 10 }, () => attempt(`192.0.2.${n}`)));
    expect(tries).toEqual(Array.from({ length: 10 }, () => null));
  }
  expect(await attempt('198.51.100.1')).toMatchObject({ outcome: 'limited' });
  expect(await attempt('198.51.100.1', { account: 'grace' })).toBeNull();
  expect(await attempt('192.0.2.0', { isKnown: true })).toBeNull();
  await store.close();
});
