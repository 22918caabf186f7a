import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect } from '../testing/events.ts';
import { readChunks, readLines } from './ndjson.ts';

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

const linesOf = (text: string, sizes: readonly number[] = []) =>
  collect(readLines(cut(new TextEncoder().encode(text), sizes)));

test('any chunking gives the same lines', async () => {
  const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat({ max: 7 })), async (lines, sizes) => {
      const sent = lines.map((each) => new TextDecoder().decode(new TextEncoder().encode(`.${each}`)));
      expect(await linesOf(sent.map((each) => `${each}\n`).join(''), sizes)).toEqual(sent);
    }),
  );
});

test('only a line feed ends a line', async () => {
  expect(await linesOf('a\u2028b\u2029c\u0085d\re\n\n"f"\n')).toEqual([
    'a\u2028b\u2029c\u0085d\re',
    '',
    '"f"',
  ]);
});

test('what was cut off before its line feed is not a line', async () => {
  expect(await linesOf('{"a":1}\n{"b":2}')).toEqual(['{"a":1}']);
});

test('a megabyte that arrives byte by byte is read in no time that grows with its square', async () => {
  const bytes = new TextEncoder().encode(`${'x'.repeat(1_000_000)}\n`);
  const [line] = await collect(readLines(cut(bytes, Array<number>(bytes.length).fill(1))));
  expect(line).toHaveLength(1_000_000);
});

test('leaving early cancels the body', async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('line\n')),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const line of readLines(readChunks(body))) {
    expect(line).toBe('line');
    break;
  }
  expect(cancelled).toBe(true);
});
