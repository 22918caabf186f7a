import { McpError } from './mcp-error.ts';

type Fetch = typeof globalThis.fetch;

/** Bytes of one response, decompressed. */
const maxBytes = 1_048_576;
const maxRedirects = 3;

/** JSON-RPC codes by which the end of a stream that never answered reaches whoever waits for the answer. */
export const tooLargeCode = -39_001;
export const cutOffCode = -39_002;

/**
 * `fetch` for the client of a server of tools, over `egress`, which judges every address: one response is bounded, a
 * redirect stays at its origin and is judged like the first address, and nothing is open but the requests that are made.
 */
export function mcpFetch(egress: Fetch): Fetch {
  return async (input, init) => {
    // What a server has to say unasked nobody reads.
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    let url = new URL(input instanceof Request ? input.url : input);
    for (let hop = 0; ; hop++) {
      const response = await egress(url, init);
      if (response.status < 300 || response.status > 399) return bounded(response, init?.body);
      await response.body?.cancel();
      url = redirected(url, response, hop);
    }
  };
}

function redirected(from: URL, { status, headers }: Response, hop: number): URL {
  const to = URL.parse(headers.get('location') ?? '', from.href);
  if (to === null || hop >= maxRedirects || (status !== 307 && status !== 308))
    throw new McpError('redirect', `The server answered ${status}, a redirect that is not followed.`);
  if (to.origin !== from.origin)
    throw new McpError(
      'redirect',
      `The server sends elsewhere, to ${to.origin}. Enter that address if it is right.`,
    );
  return to;
}

function bounded(response: Response, sent: unknown): Response {
  const { status, statusText, body } = response;
  const headers = [...response.headers];
  if (body === null) return new Response(null, { status, statusText, headers });
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  const id = isStream ? requestId(sent) : null;
  const chunks = id === null ? capped(body) : answeredInTheEnd(body, id);
  return new Response(ReadableStream.from(chunks), { status, statusText, headers });
}

async function* capped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new McpError('too-large', 'The server answered with more than 1 MB.');
    yield chunk;
  }
}

/** The client waits for an answer that a stream which ends without it would never bring: the last event is one. */
async function* answeredInTheEnd(body: AsyncIterable<Uint8Array>, id: number): AsyncGenerator<Uint8Array> {
  let code = cutOffCode;
  try {
    yield* capped(body);
  } catch (error) {
    if (error instanceof McpError) code = tooLargeCode;
  }
  const answer = { jsonrpc: '2.0', id, error: { code, message: 'The stream ended without an answer.' } };
  yield new TextEncoder().encode(`\n\nevent: message\ndata: ${JSON.stringify(answer)}\n\n`);
}

/** Of the JSON-RPC request that the client has sent; null: it waits for no answer. */
function requestId(sent: unknown): number | null {
  if (typeof sent !== 'string') return null;
  const { id } = JSON.parse(sent) as { readonly id?: unknown };
  return typeof id === 'number' ? id : null;
}
