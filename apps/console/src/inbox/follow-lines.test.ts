import { beforeEach, expect, test, vi } from 'vitest';
import { followLines } from './follow-lines.ts';

/** What the service says on each stream that it was asked for; a number is its refusal. */
let streams: ((text: string) => void)[];
let answers: number[];
let taken: string[];
let leaving: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  answers = [];
  taken = [];
  leaving = new AbortController();
  vi.stubGlobal('fetch', async (_url: string, { signal }: { readonly signal: AbortSignal }) => {
    const status = answers.shift() ?? 200;
    if (status !== 200) return new Response(null, { status });
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
