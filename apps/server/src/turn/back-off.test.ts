import { expect, onTestFinished, test, vi } from 'vitest';
import { BackOff } from './back-off.ts';

test('each pause is twice as long as the one before, up to a bound, until one is the first again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const backOff = new BackOff(3_000);
  const pauses = async (ms: number) => {
    const ended = vi.fn();
    const paused = backOff.pause().then(ended);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(ended, `before ${ms} ms`).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended, `after ${ms} ms`).toHaveBeenCalledOnce();
    await paused;
  };
  await pauses(500);
  await pauses(1_000);
  await pauses(2_000);
  await pauses(3_000);
  await pauses(3_000);
  backOff.reset();
  await pauses(500);
  const last = backOff.pause();
  backOff.end();
  await last;
  await backOff.pause();
});
