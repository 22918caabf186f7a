import { ModelError } from './model-error.ts';
import { noteBytes } from './received-bytes.ts';

const megabyte = 1_024 * 1_024;

/** What a model says has at most 8 MB; a protocol wraps it, and some repeat it whole at the end. */
const maxReplyBytes = 32 * megabyte;
/** No event of a protocol is longer; the largest repeat a whole reply. */
const maxLineBytes = 24 * megabyte;
/** What is read of an error: its code and message stand at the beginning. */
const maxErrorBytes = 64 * 1_024;

/**
 * `fetch` whose answers end: an error is cut after 64 kB; a reply fails after 32 MB, or after 24 MB without the end of a
 * line, since providers are read line by line. What is counted is what would be held: the bytes after inflating, which
 * are taken out of the inflater only as they are read.
 */
export const boundedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers, ok } = response;
    const body = response.body.pipeThrough(ok ? boundedReply(init?.signal) : cutError());
    return new Response(body, { status, statusText, headers });
  };

function boundedReply(signal: AbortSignal | null | undefined): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let unbroken = 0;
  return new TransformStream({
    transform(chunk, controller) {
      noteBytes(signal);
      bytes += chunk.length;
      const lineEnd = chunk.lastIndexOf(10);
      unbroken = lineEnd === -1 ? unbroken + chunk.length : chunk.length - lineEnd - 1;
      if (bytes > maxReplyBytes) throw new ModelError('malformed', 'The provider sent more than 32 MB.');
      if (unbroken > maxLineBytes)
        throw new ModelError('malformed', 'The provider sent a line without an end.');
      controller.enqueue(chunk);
    },
  });
}

function cutError(): TransformStream<Uint8Array, Uint8Array> {
  let room = maxErrorBytes;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, room));
      room -= chunk.length;
      if (room <= 0) controller.terminate();
    },
  });
}
