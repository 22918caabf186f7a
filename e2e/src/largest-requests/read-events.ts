import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { SessionEvent } from '@parley/protocol/event';
import { parse } from 'ndjson';

/** Reads a session's stream with a parser that is not ours until an event is the last one wanted, then hangs up. */
export async function readEvents(
  url: string,
  headers: Record<string, string>,
  isLast: (event: SessionEvent) => boolean,
): Promise<void> {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  if (response.status !== 200 || !response.body)
    throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const events = parse();
  pipeline(Readable.fromWeb(response.body as ReadableStream), events, () => {});
  for await (const event of events) {
    if (!isLast(event as SessionEvent)) continue;
    controller.abort();
    return;
  }
  throw new Error(`${url} ended before the event that was waited for.`);
}
