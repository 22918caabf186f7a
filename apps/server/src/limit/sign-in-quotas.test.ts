import { expect, onTestFinished, test, vi } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { testStore } from '../testing/test-store.ts';
import { codeQuotas, signInQuotas } from './sign-in-quotas.ts';

const minute = 60_000;
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

/** A store whose windows have just begun, at a time that the test moves. */
async function atStartOfWindow() {
  const start = Math.ceil(Date.now() / (60 * minute)) * 60 * minute;
  // The digest of an address is another one each day.
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  let now = start;
  const store = await (await testStore()).open(() => now);
  return { store, passes: (ms: number) => (now += ms) };
}

const admitted = (count: number) => Array.from({ length: count }, () => null);

test('thirty attempts from one address, whatever the names, are all for a quarter of an hour', async () => {
  const { store, passes } = await atStartOfWindow();
  const attempt = (account: string | null, address = '192.0.2.1', isKnown = false) =>
    store.countQuotas(signInQuotas(secrets, { account, address, isKnown }));
  // An invitation has no name, and counts as well.
  const tries = await Promise.all(admitted(30).map((_, n) => attempt(n % 2 === 0 ? null : `name ${n}`)));
  expect(tries).toEqual(admitted(30));
  const limited = { outcome: 'limited', scope: expect.stringMatching(/^signIns:address:/) };
  expect(await attempt('ada')).toMatchObject(limited);
  expect(await attempt(null)).toMatchObject(limited);
  expect(await attempt('ada', '192.0.2.2')).toBeNull();
  expect(await attempt('ada', '192.0.2.1', true)).toBeNull();
  passes(15 * minute - 1);
  expect(await attempt('ada')).toMatchObject(limited);
  passes(1);
  expect(await attempt('ada')).toBeNull();
  await store.close();
});

test('ten attempts with one name from one address, a hundred from all, and ten where it is known', async () => {
  const { store, passes } = await atStartOfWindow();
  const attempt = (address: string, isKnown = false) =>
    store.countQuotas(signInQuotas(secrets, { account: 'ada', address, isKnown }));
  for (let n = 0; n < 10; n++) {
    for (let times = 0; times < 10; times++) expect(await attempt(`192.0.2.${n}`)).toBeNull();
    expect(await attempt(`192.0.2.${n}`)).toMatchObject({ outcome: 'limited' });
  }
  expect(await attempt('192.0.2.10')).toMatchObject({ outcome: 'limited' });
  for (let times = 0; times < 10; times++) expect(await attempt('192.0.2.0', true)).toBeNull();
  expect(await attempt('192.0.2.10', true)).toMatchObject({ outcome: 'limited' });
  passes(15 * minute);
  expect([await attempt('192.0.2.10'), await attempt('192.0.2.10', true)]).toEqual([null, null]);
  await store.close();
});

test('ten codes of a member in an hour, and ten more in browsers that know them', async () => {
  const { store, passes } = await atStartOfWindow();
  const attempt = (isKnown: boolean) =>
    store.countQuotas(codeQuotas(secrets, { memberId: 'member_1', isKnown }));
  for (const isKnown of [false, true]) {
    for (let times = 0; times < 10; times++) expect(await attempt(isKnown)).toBeNull();
    expect(await attempt(isKnown)).toMatchObject({ outcome: 'limited' });
  }
  passes(60 * minute - 1);
  expect(await attempt(false)).toMatchObject({ outcome: 'limited' });
  passes(1);
  expect(await attempt(false)).toBeNull();
  await store.close();
});
