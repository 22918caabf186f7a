import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

test('what is further away than a timer can count is not at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const called = vi.fn();
  // As long as `Retry-After: 2592000`, a month.
  const cancel = systemClock.after(2_592_000_000, called);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(called).not.toHaveBeenCalled();
  cancel();
});
