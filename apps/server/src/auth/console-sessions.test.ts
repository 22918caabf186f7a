import { expect, onTestFinished, test, vi } from 'vitest';
import { testStore } from '../testing/test-store.ts';
import { beginSession, findSession } from './console-sessions.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function signedIn() {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  const { settings } = store;
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  const member = {
    id: 'member_1',
    tenantId: null,
    name: 'Ada',
    signInName: 'ada',
    role: 'owner',
    passwordHash: '',
    secondFactor: null,
    createdAt: new Date(start).toISOString(),
  } as const;
  await settings.members.insert(member);
  const token = await beginSession(settings, member);
  const isOpen = async (after: number, of = token) => {
    vi.setSystemTime(start + after);
    return (await findSession(settings, of)) !== null;
  };
  const begin = (after: number) => {
    vi.setSystemTime(start + after);
    return beginSession(settings, member);
  };
  const stored = async () =>
    (await settings.consoleSessions.list({ where: {}, after: null, limit: 100 })).items.length;
  return { isOpen, begin, stored };
}

test('a session ends twelve hours after its last request', async () => {
  const { isOpen } = await signedIn();
  expect(await isOpen(12 * hour - 1)).toBe(true);
  expect(await isOpen(24 * hour - 2)).toBe(true);
  expect(await isOpen(36 * hour - 2)).toBe(false);
  expect(await isOpen(24 * hour)).toBe(true);
});

test('a session ends after seven days however much it is used', async () => {
  const { isOpen } = await signedIn();
  for (let after = 0; after < 7 * day; after += 10 * hour) expect(await isOpen(after)).toBe(true);
  expect(await isOpen(7 * day - 1)).toBe(true);
  expect(await isOpen(7 * day)).toBe(false);
});

test('a request within five minutes of the last one is not noted', async () => {
  const { isOpen } = await signedIn();
  expect(await isOpen(5 * minute)).toBe(true);
  expect(await isOpen(12 * hour)).toBe(false);
});

test('a new session clears away those that are over, and the oldest of fifty', async () => {
  const { isOpen, begin, stored } = await signedIn();
  const first = await begin(12 * hour);
  expect(await stored()).toBe(1);
  for (let count = 1; count < 50; count++) await begin(12 * hour + count);
  expect([await stored(), await isOpen(12 * hour + 50, first)]).toEqual([50, true]);
  await begin(12 * hour + 51);
  expect([await stored(), await isOpen(12 * hour + 52, first)]).toEqual([50, false]);
});
