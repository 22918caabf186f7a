import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A provider of chat completions that keeps every prompt and says its words at its own pace. */
export interface ModelEndpoint {
  readonly url: string;
  readonly address: string;
  readonly prompts: (readonly PromptMessage[])[];
  close(): void;
}

/** A call that `isHeld` is true of is given half of the words, and waits until it is given up. */
export async function openModelEndpoint(
  words: readonly string[],
  paceMs: number,
  isHeld: (messages: readonly PromptMessage[], calls: number) => boolean = () => false,
): Promise<ModelEndpoint> {
  const prompts: (readonly PromptMessage[])[] = [];
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request)) as { messages: PromptMessage[] };
    prompts.push(messages);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (delta: object, finish: string | null) =>
      response.write(
        `data: ${JSON.stringify({
          id: 'completion',
          object: 'chat.completion.chunk',
          created: 0,
          model: 'paced',
          choices: [{ index: 0, delta, finish_reason: finish }],
        })}\n\n`,
      );
    const held = isHeld(messages, prompts.length);
    for (const [index, word] of words.entries()) {
      if (response.closed || (held && index >= words.length / 2)) return;
      chunk({ content: word }, null);
      await setTimeout(paceMs);
    }
    chunk({}, 'stop');
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = `127.0.0.1:${port}`;
  return {
    url: `http://${address}/v1`,
    address,
    prompts,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
