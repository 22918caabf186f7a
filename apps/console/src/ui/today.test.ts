import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 28, 23, 58, 30) }));
afterEach(() => void vi.useRealTimers());

test('the day becomes another one within a minute, and is the same until then', async () => {
  vi.resetModules();
  const { today } = await import('./today.ts');
  const before = today.value;
  vi.advanceTimersByTime(60_000);
  expect(today.value).toBe(before);
  vi.advanceTimersByTime(60_000);
  expect(today.value.getDate()).toBe(29);
});
