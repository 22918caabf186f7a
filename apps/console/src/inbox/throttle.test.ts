import { beforeEach, expect, test, vi } from 'vitest';
import { throttle } from './throttle.ts';

const intervalMs = 10_000;
const jitterMs = 5_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  return () => vi.useRealTimers();
});

/** A task that takes so long, and how often it was run. */
function counted(takesMs = 0) {
  const runs = { begun: 0, running: 0, most: 0 };
  const task = async () => {
    runs.begun += 1;
    runs.running += 1;
    runs.most = Math.max(runs.most, runs.running);
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    runs.running -= 1;
  };
  return { runs, ...throttle(task, intervalMs) };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a task is run at once, and then once in an interval however often it is requested', async () => {
  const { runs, request } = counted();
  request(0);
  expect(runs.begun).toBe(1);
  await pass(0);
  request(0);
  expect(runs.begun).toBe(2);
  await pass(0);
  for (let second = 0; second < 9; second += 1) {
    request(0);
    await pass(1_000);
  }
  expect(runs.begun).toBe(2);
  await pass(1_000);
  expect(runs.begun).toBe(3);
  await pass(60_000);
  expect(runs.begun).toBe(3);
});

test('requests that come everywhere at once are spread, and one of a person is not', async () => {
  const { runs, request } = counted();
  request(jitterMs);
  await pass(2_400);
  expect(runs.begun).toBe(0);
  await pass(100);
  expect(runs.begun).toBe(1);
  request(jitterMs);
  request(0);
  expect(runs.begun).toBe(2);
  await pass(0);
  request(jitterMs);
  await pass(12_400);
  expect(runs.begun).toBe(2);
  await pass(100);
  expect(runs.begun).toBe(3);
  request(jitterMs);
  request(0);
  await pass(10_000);
  expect(runs.begun).toBe(4);
  await pass(60_000);
  expect(runs.begun).toBe(4);
});

test('what is requested during a run waits for its end, and for the interval', async () => {
  const { runs, request } = counted(3_000);
  request(0);
  await pass(3_000);
  request(0);
  await pass(1_000);
  request(jitterMs);
  request(0);
  await pass(11_900);
  expect(runs.begun).toBe(2);
  await pass(100);
  expect([runs.begun, runs.most]).toEqual([3, 1]);
});

test('what was cancelled is not run, and may be requested again', async () => {
  const { runs, request, cancel } = counted(1_000);
  request(jitterMs);
  cancel();
  await pass(60_000);
  expect(runs.begun).toBe(0);
  request(0);
  request(0);
  cancel();
  await pass(60_000);
  expect(runs.begun).toBe(1);
  request(0);
  expect(runs.begun).toBe(2);
});
