import { transportError } from './error.ts';

/** The chunks of a body. Leaving the loop early, or the signal, cancels the body; `watch` may look at how long each one takes. */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
  watch: <T>(reading: Promise<T>) => Promise<T> = (reading) => reading,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // The reader is left either at the end or for good; a body that cannot be cancelled any more is already gone.
  const cancel = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await watch(reader.read());
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw transportError(cause, signal);
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Whole lines, ended by `\n` and nothing else. What follows the last `\n` was cut off and is not yielded. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    for (const piece of more) {
      yield rest;
      rest = piece;
    }
  }
}
