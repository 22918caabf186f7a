import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from './logger.ts';
import { stopOnSignal } from './stop-on-signal.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The process as the service's signals meet it; `raise` is a signal that arrives. */
function rig(stop: () => Promise<void>) {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const listeners = new Map<string, (signal: string) => void>();
  vi.spyOn(process, 'on').mockImplementation((signal, listener) => {
    listeners.set(String(signal), listener);
    return process;
  });
  const exits: unknown[] = [];
  vi.spyOn(process, 'exit').mockImplementation((code) => exits.push(code) as never);
  const lines: string[] = [];
  const started = stopOnSignal(createLogger('fatal', { write: (line) => void lines.push(line) }));
  started({ stop });
  return { exits, lines, raise: (signal: string) => listeners.get(signal)!(signal) };
}

test.each(['SIGTERM', 'SIGINT'])('%s ends the process when the service has stopped', async (signal) => {
  const { exits, lines, raise } = rig(async () => {});
  raise(signal);
  await expect.poll(() => exits).toEqual([0]);
  expect(lines).toEqual([]);
});

test('a service that hangs says what was still open before anybody kills it', () => {
  const { exits, lines, raise } = rig(() => new Promise(() => {}));
  raise('SIGTERM');
  vi.advanceTimersByTime(38_000);
  expect(exits).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(exits).toEqual([1]);
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'Could not stop in time.', alive: expect.any(Array) });
});

test('a service that fails to stop says so, and a second signal waits for nothing', async () => {
  const failing = rig(() => Promise.reject(new Error('No room')));
  failing.raise('SIGTERM');
  await expect.poll(() => failing.exits).toEqual([1]);
  expect(failing.lines[0]).toContain('No room');
  const hanging = rig(() => new Promise(() => {}));
  hanging.raise('SIGINT');
  hanging.raise('SIGINT');
  expect(hanging.exits).toEqual([1]);
});
