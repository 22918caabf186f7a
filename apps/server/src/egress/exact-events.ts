import { withLongNumbersAsTexts } from '@parley/protocol/exact-json';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Shorter ones lose nothing. */
const longNumber = /\d{16}/;

/** The same text; where it is JSON, whole numbers whose last digits JavaScript would lose are texts. */
export function exactJson(text: string): string {
  if (!longNumber.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return withLongNumbersAsTexts(text);
}

/** The same server-sent events, with the JSON of each as `exactJson` has it. An event is passed on once it is whole. */
export async function* exactEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const events of wholeEvents(body)) yield exactLines(events);
}

/** The same bytes, cut where an event has ended; what breaks off comes last. */
export async function* wholeEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = [];
  let before: readonly number[] = [];
  for await (const chunk of body) {
    const end = endOfEvents(before, chunk);
    if (end > 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)]);
      begun = [];
    }
    begun.push(chunk.subarray(end));
    before = [...before, ...chunk.subarray(-2)].slice(-2);
  }
  yield Buffer.concat(begun);
}

/**
 * Behind the last line that is empty, as is the one that ends an event, with both bytes of a CRLF: a reader waits for the line
 * feed behind a carriage return. 0 where there is none. `before`: the two bytes before the chunk.
 */
function endOfEvents(before: readonly number[], chunk: Uint8Array): number {
  const byte = (at: number) => (at < 0 ? before.at(at) : chunk[at]);
  for (let at = chunk.length - 1; at >= 0; at -= 1) {
    const ended = byte(at - 1);
    const isEmpty =
      chunk[at] === lineFeed
        ? ended === lineFeed || (ended === carriageReturn && isLineEnd(byte(at - 2)))
        : chunk[at] === carriageReturn && isLineEnd(ended);
    if (isEmpty) return at + 1;
  }
  return 0;
}

const isLineEnd = (byte: number | undefined) => byte === lineFeed || byte === carriageReturn;

function exactLines(lines: Buffer): Uint8Array {
  const text = lines.toString();
  if (!longNumber.test(text)) return lines;
  return Buffer.from(text.replaceAll(/(?:(?<=^|[\r\n])data:[^\r\n]*(?:\r\n|\r|\n)?)+/g, exactData));
}

/** The `data:` lines of an event are one text. Between its lines no number of JSON goes on. */
function exactData(lines: string): string {
  const json = lines.replaceAll(/(?<=^|[\r\n])data:/g, '');
  const exact = exactJson(json);
  return exact === json ? lines : exact.replaceAll(/(?<=^|\r(?!\n)|\n)(?=.)/gs, 'data:');
}
