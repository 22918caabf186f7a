import { effect } from '@preact/signals';
import { beforeEach, expect, test, vi } from 'vitest';

const statuses = new Map<string, number>();
let asked: string[] = [];

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  statuses.clear();
  asked = [];
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('fetch', (url: string) => {
    const path = url.split('/settings')[1] ?? '';
    asked.push(path);
    const status = statuses.get(path) ?? 200;
    // What fails does so before what is beside it is there.
    return new Promise((resolve) =>
      setTimeout(() => resolve(Response.json({}, { status })), status === 200 ? 50 : 10),
    );
  });
  return () => vi.useRealTimers();
});

/** A screen that reads two things, and both of them whenever it is time to. */
async function showScreen() {
  const { call, revalidation } = await import('./call.ts');
  effect(() => {
    if (revalidation.value !== null)
      for (const path of ['/usage', '/agents']) call('GET', path).catch(() => undefined);
  });
}

const readings = (path: string) => asked.filter((each) => each === path).length;

test('what fails by itself is read again less and less often, and what is beside it no more often', async () => {
  statuses.set('/usage', 503);
  await showScreen();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['/usage', '/agents']);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(readings('/usage')).toBeGreaterThan(5);
  expect(readings('/usage')).toBeLessThan(16);
  expect(readings('/agents')).toBe(readings('/usage'));
});

test('once the service is there again, all is read once, and nothing is asked for after that', async () => {
  for (const path of ['/usage', '/agents', '/session']) statuses.set(path, 502);
  await showScreen();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([readings('/usage'), readings('/agents')]).toEqual([1, 1]);
  statuses.clear();
  asked = [];
  await vi.advanceTimersByTimeAsync(11_000);
  expect(asked).toEqual(['/session', '/usage', '/agents']);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toHaveLength(3);
});

test('a tab that nobody looks at asks for nothing until somebody does', async () => {
  let look = () => {};
  vi.stubGlobal('document', {
    hidden: true,
    addEventListener: (_: string, seen: () => void) => (look = seen),
  });
  statuses.set('/usage', 503);
  await showScreen();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toHaveLength(2);
  statuses.clear();
  Object.assign(document, { hidden: false });
  look();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.slice(2)).toEqual(['/session', '/usage', '/agents']);
});
