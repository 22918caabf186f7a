import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { writeChunks } from './write-chunks.ts';

/** Chunks of a large file, and how many of them were asked for. */
function source(count: number) {
  const asked = { count: 0 };
  async function* chunks() {
    for (let n = 0; n < count; n++) {
      asked.count += 1;
      yield Buffer.alloc(255 * 1024, n);
    }
  }
  return { asked, chunks: chunks() };
}

test('a reader that takes nothing is given one chunk', async () => {
  const given = Promise.withResolvers<void>();
  const unread = new Writable({ write: () => given.resolve() });
  const { asked, chunks } = source(40);
  const writing = writeChunks(unread, chunks);
  await given.promise;
  unread.destroy();
  await writing;
  expect(asked.count).toBe(1);
});

test('each chunk is asked for when the one before was taken', async () => {
  const { asked, chunks } = source(40);
  let taken = 0;
  const slow = new Writable({
    write(_chunk, _encoding, done) {
      expect(asked.count).toBe(taken + 1);
      taken += 1;
      setImmediate(done);
    },
  });
  await writeChunks(slow, chunks);
  expect(taken).toBe(40);
  expect(slow.writableEnded).toBe(true);
});

test('nothing is asked for any more when the reader has gone', async () => {
  const reader = new PassThrough();
  const { asked, chunks } = source(40);
  const writing = writeChunks(reader, chunks);
  reader.once('data', () => reader.destroy());
  await writing;
  expect(asked.count).toBe(1);
});
