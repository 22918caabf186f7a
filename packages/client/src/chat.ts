import { chatPatterns, fillPath } from '@parley/protocol/paths';
import type { Usage } from '@parley/protocol/event';
import type { UiMessageChunk } from '@parley/protocol/ui-message-chunk';
import {
  type Connection,
  readObject,
  request,
  requestOnce,
  type RequestOptions,
  type SendOptions,
} from './connection.ts';
import { ParleyError, parseJson, transportError, unexpectedAnswer } from './error.ts';
import { readChunks, readLines } from './ndjson.ts';
import { rejectPage } from './reject-page.ts';

/** One message of the conversation `id`, a name of the caller's choice. */
export type ChatMessage = { id: string; text: string };

export type ChatReply = {
  id: string;
  text: string;
  /** The tokens of its turn, as the model counts them. With a secret key only. */
  usage?: Usage;
};

/**
 * The Chat interface: one message, one reply, in three modes. Send the next message of a conversation after the
 * reply to the one before. Everything that fails is a `ParleyError`; the message may then be sent again.
 */
export function createChat(connection: Connection) {
  const post = <T>(
    accept: string,
    { id, text }: ChatMessage,
    options: SendOptions | undefined,
    read: (response: Response) => Promise<T> | T,
  ) =>
    requestOnce(
      connection,
      chatPatterns.chat,
      { headers: { accept }, body: { id, text }, ...options },
      read,
      // A reply takes as long as its turn.
      async (...[to, path, call]) => read(await request(to, path, call)),
    );

  return {
    /** The complete reply. */
    reply: (message: ChatMessage, options?: SendOptions): Promise<ChatReply> =>
      post('application/json', message, options, async (response) => {
        const { id, text, usage } = await readObject(response, options?.signal);
        if (typeof id !== 'string' || typeof text !== 'string') throw unexpectedAnswer();
        return { id, text, ...(typeof usage === 'object' && usage !== null && { usage: usage as Usage }) };
      }),

    /** The reply as it is written. A reply that breaks off throws. */
    async *text(message: ChatMessage, options?: SendOptions): AsyncGenerator<string, void> {
      const body = await post('text/plain', message, options, (response) => bodyOf(rejectPage(response)));
      const decoder = new TextDecoder();
      for await (const chunk of readChunks(body, options?.signal)) {
        const text = decoder.decode(chunk, { stream: true });
        if (text) yield text;
      }
      // Cancelled at the abort, a body ends as if it were whole.
      if (options?.signal?.aborted) throw transportError(undefined, options.signal);
    },

    /** The reply with steps and tool activity. An `error` chunk is yielded; a stream that breaks off throws. */
    async *events(message: ChatMessage, options?: SendOptions): AsyncGenerator<UiMessageChunk, void> {
      yield* readEvents(await post('text/event-stream', message, options, bodyOf), options?.signal);
    },

    /** The event stream of the turn that is running, from its start; nothing when none is. */
    async *resume(id: string, options?: RequestOptions): AsyncGenerator<UiMessageChunk, void> {
      const response = await request(connection, fillPath(chatPatterns.stream, id), { ...options });
      if (response.status !== 204) yield* readEvents(bodyOf(response), options?.signal);
    },

    /** What was said in a conversation until now, for people to read. With a secret key. */
    async read(id: string, options?: RequestOptions): Promise<string> {
      const path = `${fillPath(chatPatterns.conversation, id)}?format=text`;
      const response = await request(connection, path, { ...options });
      return rejectPage(response)
        .text()
        .catch((cause: unknown) => {
          throw transportError(cause, options?.signal);
        });
    },

    /** Has a conversation and all that is stored of it deleted. One that is gone already counts as deleted. With a secret key. */
    async delete(id: string, options?: RequestOptions): Promise<void> {
      const { fetch: send = fetch } = connection;
      const deleting: Connection = {
        ...connection,
        fetch: (input, init) => send(input, { ...init, method: 'DELETE' }),
      };
      try {
        await readObject(
          await request(deleting, fillPath(chatPatterns.conversation, id), { ...options }),
          options?.signal,
        );
      } catch (error) {
        if (!(error instanceof ParleyError && error.code === 'NOT_FOUND')) throw error;
      }
    },
  };
}

function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  if (!body) throw unexpectedAnswer();
  return body;
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<UiMessageChunk, void> {
  for await (const line of readLines(readChunks(body, signal))) {
    if (line === 'data: [DONE]') return;
    if (line.startsWith('data: ')) yield parseJson<UiMessageChunk>(line.slice(6));
  }
  throw signal?.aborted
    ? transportError(undefined, signal)
    : new ParleyError('NETWORK', 'The reply broke off.');
}
