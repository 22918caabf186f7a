import { expect, onTestFinished, test, vi } from 'vitest';
import { BackOff } from './back-off.ts';

test('each pause is twice as long as the one before, up to a bound, until one is the first again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const backOff = new BackOff(3_000);
  const pause = async () => {
    const before = Date.now();
    const paused = backOff.pause();
    await vi.runAllTimersAsync();
    await paused;
    return Date.now() - before;
  };
  expect([await pause(), await pause(), await pause(), await pause(), await pause()]).toEqual([
    500, 1_000, 2_000, 3_000, 3_000,
  ]);
  backOff.reset();
  expect(await pause()).toBe(500);
  const last = backOff.pause();
  backOff.end();
  await last;
  expect(await pause()).toBe(0);
});
