import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { exactEvents } from './exact-events.ts';

const passedOn = (chunks: readonly Uint8Array[]): Promise<Buffer[]> =>
  Readable.from(exactEvents(ReadableStream.from(chunks))).toArray();

async function exact(text: string, size = text.length): Promise<string> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return Buffer.concat(await passedOn(chunks)).toString();
}

test.for(['\n', '\r\n', '\r'])('an event over several lines that end in %j keeps its digits', async (end) => {
  const events = (id: string) =>
    [
      ': begins',
      'event: message',
      'data: {',
      `data: "id": ${id}, "name": "Zoë",`,
      'data:',
      'data:"more": [1]}',
      'id: 1',
      '',
      `data: {"id":${id}}`,
      '',
      'data: [DONE]',
      '',
      '',
    ].join(end);
  for (const size of [1, 2, 3, 7, 1_000])
    expect(await exact(events('9007199254740993'), size)).toBe(events('"9007199254740993"'));
});

test('an event is passed on once it has ended, and what breaks off as it is', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const passed = exactEvents(readable);
  const next = async () => Buffer.from((await passed.next()).value ?? []).toString();
  void writer.write(Buffer.from('data: 9007199254740993\n\ndata: [9007199254740993,\n'));
  expect(await next()).toBe('data: "9007199254740993"\n\n');
  void writer.close();
  expect(await next()).toBe('data: [9007199254740993,\n');
});

test.each([
  [['data: 1\r\n\r\n', 'data: 2\r\n\r\n']],
  [['data: 1\r\n\r', '\n', 'data: 2\r\n\r\n']],
  [['data: 1\r\n', '\r', '\n', 'data: 2\r\n\r\n']],
])('an event that ends in CRLF is passed on with its last byte: %j', async (chunks) => {
  const passed = await passedOn(chunks.map((chunk) => Buffer.from(chunk)));
  const events = passed.map(String).join('|').replaceAll('\r|\n', '\r\n').split('|');
  expect(events).toEqual(['data: 1\r\n\r\n', 'data: 2\r\n\r\n', '']);
});
