import { beforeEach, expect, test, vi } from 'vitest';
import { followLines } from './follow-lines.ts';

/** What the service says on each stream that it was asked for; a number is its refusal. */
let streams: ((text: string) => void)[];
let answers: number[];
let taken: string[];
/** How often a stream was asked for. */
let asked: number;
/** The seconds that a refusal names. */
let waits: string | null;
let leaving: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  answers = [];
  taken = [];
  asked = 0;
  waits = null;
  leaving = new AbortController();
  vi.stubGlobal('fetch', async (_url: string, { signal }: { readonly signal: AbortSignal }) => {
    const status = answers.shift() ?? 200;
    asked += 1;
    if (status !== 200)
      return new Response(null, { status, headers: waits === null ? {} : { 'retry-after': waits } });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push((text) => controller.enqueue(new TextEncoder().encode(text)));
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  });
  return () => {
    leaving.abort();
    vi.useRealTimers();
  };
});

const follow = () => followLines(() => '/stream', { take: (line) => void taken.push(line) }, leaving.signal);

test('a stream that has fallen silent is asked for again', async () => {
  void follow();
  await vi.advanceTimersByTimeAsync(15_000);
  streams[0]?.('\n');
  await vi.advanceTimersByTimeAsync(19_000);
  expect(streams).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(streams).toHaveLength(2);
  streams[1]?.('{"type":"missed"}\n');
  await vi.advanceTimersByTimeAsync(0);
  expect(taken).toEqual(['{"type":"missed"}']);
});

test('a stream that is refused for a while is asked for again, and one that is refused for good is not', async () => {
  answers = [429, 503];
  void follow();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(streams).toHaveLength(1);
  answers = [403];
  let isOver = false;
  void follow().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(10_000);
  expect([isOver, streams.length]).toEqual([true, 1]);
});

test('a stream that is refused is asked for no sooner than the refusal says', async () => {
  answers = [429, 503];
  waits = '30';
  void follow();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(38_000);
  expect(streams).toHaveLength(1);
});

test('a refusal that names another hour, or none, holds nothing up for longer than two minutes', async () => {
  answers = [429, 429];
  waits = '3600';
  void follow();
  await vi.advanceTimersByTimeAsync(128_000);
  expect(asked).toBe(2);
  waits = 'Wed, 21 Oct 2015 07:28:00 GMT';
  await vi.advanceTimersByTimeAsync(128_000);
  expect(streams).toHaveLength(1);
});

test('whoever leaves a stream leaves no timer behind', async () => {
  void follow();
  await vi.advanceTimersByTimeAsync(1_000);
  leaving.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
