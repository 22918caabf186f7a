/** Each may be a request, which the client answers, or something that it looks at for nothing. */
export const maxEvents = 1_000;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export class TooManyEventsError extends Error {}

/** A stream of events, each of which ends with an empty line. Throws `TooManyEventsError`. */
export async function* fewEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let events = 0;
  let before = lineFeed;
  let isLineEmpty = false;
  for await (const chunk of body) {
    for (const byte of chunk) {
      const endsSameLine = byte === lineFeed && before === carriageReturn;
      before = byte;
      if (endsSameLine) continue;
      const isLineEnd = byte === lineFeed || byte === carriageReturn;
      if (isLineEnd && isLineEmpty) events += 1;
      isLineEmpty = isLineEnd;
    }
    if (events > maxEvents) throw new TooManyEventsError();
    yield chunk;
  }
}
