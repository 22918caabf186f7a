import { expect, onTestFinished, test, vi } from 'vitest';
import { Heartbeat } from './heartbeat.ts';

test('everybody hears a beat every 5 s, whenever they joined, until they leave', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const heartbeat = new Heartbeat();
  onTestFinished(() => heartbeat.stop());
  const beats = Array.from({ length: 7 }, () => 0);
  const leave = beats.map((_, member) => {
    vi.advanceTimersByTime(1_000);
    return heartbeat.join(() => void (beats[member]! += 1));
  });
  beats.fill(0);
  vi.advanceTimersByTime(5_000);
  expect(beats).toEqual(beats.map(() => 1));
  for (const each of leave) each();
  vi.advanceTimersByTime(60_000);
  expect(beats).toEqual(beats.map(() => 1));
});

test('a thousand that come at once are spread over two and a half seconds, and none is heard before', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const heartbeat = new Heartbeat();
  onTestFinished(() => heartbeat.stop());
  let heard = 0;
  for (let member = 0; member < 1_000; member += 1) heartbeat.join(() => void (heard += 1));
  vi.advanceTimersByTime(2_500);
  expect(heard).toBe(0);
  for (let slot = 1; slot <= 10; slot += 1) {
    vi.advanceTimersByTime(250);
    expect(heard).toBe(100 * slot);
  }
  vi.advanceTimersByTime(2_500);
  expect(heard).toBe(1_000);
});
