import { ModelError } from './model-error.ts';

/** No event of a protocol is longer; the largest repeat a whole reply, which may have 8 MB. */
const mostBytes = 24 * 1024 * 1024;

/**
 * `fetch` whose answers fail once they run for 24 MB without the end of a line. Providers are read line by line, and
 * one that never ends its line would otherwise be held in memory whole. In binary framing such a stretch does not occur.
 */
export const boundedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    let unbroken = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const lineEnd = chunk.lastIndexOf(10);
        unbroken = lineEnd === -1 ? unbroken + chunk.length : chunk.length - lineEnd - 1;
        if (unbroken > mostBytes)
          throw new ModelError('malformed', 'The provider sent a line without an end.');
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
  };
