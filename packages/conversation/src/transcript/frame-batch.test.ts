import { systemClock } from '@parley/client/clock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFrameBatch } from './frame-batch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page whose frames the test draws; none come while it is hidden. */
function openPage() {
  const asked = new Set<() => void>();
  const page = {
    hidden: false,
    waiting: () => asked.size,
    draw() {
      const callbacks = [...asked];
      asked.clear();
      for (const callback of callbacks) callback();
    },
    environment: {
      isHidden: () => page.hidden,
      nextFrame(callback: () => void) {
        asked.add(callback);
        return () => void asked.delete(callback);
      },
    },
  };
  return page;
}

test('a hidden page is asked for no frames, however much arrives', () => {
  const page = openPage();
  const delivered: number[][] = [];
  const batch = createFrameBatch<number>((items) => delivered.push(items), systemClock, page.environment);
  page.hidden = true;
  for (let item = 0; item < 20; item++) {
    batch.add(item);
    vi.advanceTimersByTime(250);
  }
  expect(delivered).toHaveLength(20);
  expect(page.waiting()).toBe(0);
});

test('of a page that is hidden while it waits for a frame one callback waits at most', () => {
  const page = openPage();
  const batch = createFrameBatch<number>(() => {}, systemClock, page.environment);
  batch.add(1);
  page.draw();
  batch.add(2);
  vi.advanceTimersByTime(250);
  expect(page.waiting()).toBe(1);
});

test('a long history is handed over in parts, in its order', () => {
  const page = openPage();
  const delivered: number[][] = [];
  const batch = createFrameBatch<number>((items) => delivered.push(items), systemClock, page.environment);
  for (let item = 0; item < 2_500; item++) batch.add(item);
  for (let frame = 0; frame < 3; frame++) {
    page.draw();
    vi.advanceTimersByTime(0);
  }
  expect(delivered.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(delivered.flat()).toEqual(Array.from({ length: 2_500 }, (_, item) => item));
});

test('much at once is handed over after the frame that it waited for, little within it', () => {
  const page = openPage();
  const delivered: number[] = [];
  const batch = createFrameBatch<number>(
    (items) => delivered.push(items.length),
    systemClock,
    page.environment,
  );
  for (let item = 0; item < 49; item++) batch.add(item);
  page.draw();
  expect(delivered).toEqual([49]);
  for (let item = 0; item < 50; item++) batch.add(item);
  page.draw();
  expect(delivered).toEqual([49]);
  vi.advanceTimersByTime(0);
  expect(delivered).toEqual([49, 50]);
  for (let item = 0; item < 50; item++) batch.add(item);
  page.draw();
  batch.drop();
  expect(vi.getTimerCount()).toBe(0);
  expect(page.waiting()).toBe(0);
});

test('what is dropped leaves no frame and no timer behind', () => {
  const page = openPage();
  const batch = createFrameBatch<number>(() => {}, systemClock, page.environment);
  batch.add(1);
  page.draw();
  batch.add(2);
  batch.drop();
  expect(page.waiting()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
