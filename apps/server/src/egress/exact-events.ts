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

/** The same server-sent events, with the JSON of each as `exactJson` has it. A line is passed on once it is whole. */
export async function* exactEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  for await (const chunk of body) {
    const end = Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn)) + 1;
    if (end > 0) {
      yield exactLines(Buffer.concat([...begun, chunk.subarray(0, end)]));
      begun = [];
    }
    begun.push(chunk.subarray(end));
  }
  yield exactLines(Buffer.concat(begun));
}

function exactLines(lines: Buffer): Uint8Array {
  const text = lines.toString();
  if (!longNumber.test(text)) return lines;
  return Buffer.from(text.replaceAll(/(?<=(?:^|[\r\n])data:)[^\r\n]+/g, exactJson));
}
