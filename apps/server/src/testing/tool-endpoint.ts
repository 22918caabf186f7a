import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { openaiCompatibleWire } from '../model/testing/openai-compatible-wire.ts';
import type { WireReply } from '../model/testing/wire.ts';

export interface ToolCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ToolEndpoint {
  readonly url: string;
  readonly host: string;
  /** Every request so far. */
  readonly calls: readonly ToolCall[];
  /** An OpenAI-compatible provider that answers with these in turn, and with `ok` after them. */
  provider(...replies: ProviderReply[]): TestProvider;
  /** The same, of a model that refuses prompts of more bytes: a refused call uses up no reply. */
  limitedProvider(maxBytes: number, ...replies: ProviderReply[]): TestProvider;
  /** Resolves when a request for this path has come in. */
  called(path: string): Promise<void>;
  close(): void;
}

/** With `error`: refused with this body. */
export type ProviderReply = WireReply | 'refused' | 'too-long' | { readonly error: unknown };

export interface TestProvider {
  /** The model as an agent's settings name it. */
  readonly model: ModelSettings;
  /** What the model was called with, call by call, those that it refused as too long included. */
  prompts(): Prompt[];
  /** Bytes of each call that it took. */
  taken(): readonly number[];
}

interface Provider {
  readonly maxBytes: number;
  readonly replies: readonly ProviderReply[];
  readonly taken: number[];
}

export interface Prompt {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tool_choice?: string;
}

/** What the tools of a test call: answers with the path; `/broken` fails, `/stuck` never answers, `/big` is long, and `/large` as long as the log takes. */
export async function openToolEndpoint(): Promise<ToolEndpoint> {
  const calls: ToolCall[] = [];
  const providers = new Map<string, Provider>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url ?? '';
    calls.push({ path, headers: request.headers, body });
    server.emit('called');
    const provider = providers.get(path);
    if (provider) {
      const fits = body.length <= provider.maxBytes;
      if (fits) provider.taken.push(body.length);
      const reply = fits ? (provider.replies[provider.taken.length - 1] ?? { text: ['ok'] }) : 'too-long';
      if (reply === 'refused') return void response.writeHead(400).end('{}');
      if (reply === 'too-long' || 'error' in reply) {
        const refusal = reply === 'too-long' ? openaiCompatibleWire.tooLong.body : reply;
        return void response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify(refusal));
      }
      response.writeHead(200, { 'content-type': openaiCompatibleWire.contentType });
      return void response.end(Buffer.concat(openaiCompatibleWire.frames(reply)));
    }
    if (path.startsWith('/stuck')) return;
    if (path.startsWith('/broken')) return void response.writeHead(500).end('canary: out of order');
    response.writeHead(200, { 'content-type': 'application/json' });
    const length = path.startsWith('/big') ? 600_000 : path.startsWith('/large') ? 190_000 : 0;
    response.end(JSON.stringify(length > 0 ? 'x'.repeat(length) : { done: path }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  function addProvider(maxBytes: number, replies: readonly ProviderReply[]): TestProvider {
    const base = `/provider-${providers.size}`;
    const path = `${base}/v1/chat/completions`;
    const taken: number[] = [];
    providers.set(path, { maxBytes, replies, taken });
    return {
      model: openaiCompatibleWire.settings(`http://${host}${base}`),
      prompts: () => calls.filter((call) => call.path === path).map(({ body }) => JSON.parse(body)),
      taken: () => taken,
    };
  }

  return {
    url: `http://${host}`,
    host,
    calls,
    provider: (...replies) => addProvider(Infinity, replies),
    limitedProvider: (maxBytes, ...replies) => addProvider(maxBytes, replies),
    async called(path) {
      while (!calls.some((call) => call.path === path)) await once(server, 'called');
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
