import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Completion {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

interface ProviderWithKey {
  readonly url: string;
  readonly address: string;
  close(): void;
}

/**
 * A provider of chat completions that answers only with its key: it says `words`, calls `refund` where the last message
 * asks for a refund of an order, and then says what the call came to.
 */
export async function openProviderWithKey(key: string, words: string): Promise<ProviderWithKey> {
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request)) as Completion;
    if (request.headers.authorization !== `Bearer ${key}`)
      return void response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: 'Incorrect API key provided.', type: 'invalid_api_key' } }));
    const { delta, finish } = answerTo(messages.at(-1), words);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const choice of [
      { delta, finish_reason: null },
      { delta: {}, finish_reason: finish },
    ])
      response.write(`data: ${JSON.stringify(chunk({ index: 0, ...choice }))}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}/v1`,
    address,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerTo(last: Completion['messages'][number] | undefined, words: string) {
  const said = JSON.stringify(last?.content ?? '');
  if (last?.role === 'tool')
    return { delta: { content: `It is refunded: ${String(last.content)}` }, finish: 'stop' };
  const order = /refund (?:of )?(\S+?)\W*"/.exec(said)?.[1];
  if (last?.role !== 'user' || order === undefined) return { delta: { content: words }, finish: 'stop' };
  const call = { name: 'refund', arguments: JSON.stringify({ order, reason: 'It came late.' }) };
  return {
    delta: { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] },
    finish: 'tool_calls',
  };
}

const chunk = (choice: object) => ({
  id: 'completion',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'desk-1',
  choices: [choice],
});
