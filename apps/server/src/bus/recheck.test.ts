import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from './local-bus.ts';
import { Recheck } from './recheck.ts';

function rechecking(count: number, check: (ids: readonly string[]) => Promise<void> = async () => undefined) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const bus = new LocalBus((error) => expect.fail(String(error)));
  const pages: (readonly string[])[] = [];
  const errors: unknown[] = [];
  const recheck = new Recheck({
    bus,
    roundMs: 5_000,
    ids: () => Array.from({ length: count }, (_, index) => `id_${index}`),
    check: async (ids) => {
      pages.push(ids);
      await check(ids);
    },
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => recheck.stop());
  return { bus, pages, errors, recheck };
}

test('everything is looked at once in a round, in pages that are spread over it', async () => {
  const { pages } = rechecking(1_200);
  await vi.advanceTimersByTimeAsync(5_000);
  const before = pages.length;
  await vi.advanceTimersByTimeAsync(5_000);
  const round = pages.slice(before);
  expect(new Set(round.flat()).size).toBe(1_200);
  expect(round.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([200, 500, 500]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(pages.length - before - round.length).toBeLessThan(3);
});

test('after a gap everything is looked at without waiting', async () => {
  const { bus, pages } = rechecking(1_200);
  await vi.advanceTimersByTimeAsync(5_000);
  const before = pages.length;
  bus.announceGap();
  await vi.advanceTimersByTimeAsync(0);
  expect(new Set(pages.slice(before).flat()).size).toBe(1_200);
});

test('a page that could not be looked at is looked at again in the next round', async () => {
  const failures = [new Error('The store is away.')];
  const { pages, errors } = rechecking(1, async () => {
    const failure = failures.shift();
    if (failure) throw failure;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(errors).toHaveLength(1);
  expect(pages.length).toBeGreaterThan(1);
});

test('nothing is looked at after it was stopped', async () => {
  const { bus, pages, recheck } = rechecking(1);
  await vi.advanceTimersByTimeAsync(5_000);
  const before = pages.length;
  recheck.stop();
  bus.announceGap();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(pages).toHaveLength(before);
});
