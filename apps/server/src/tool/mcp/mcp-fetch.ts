import { z } from 'zod';
import { unlessAborted } from '../../egress/unless-aborted.ts';
import { eventData } from './event-data.ts';
import { fewEvents, TooManyEventsError } from './few-events.ts';
import { McpError } from './mcp-error.ts';
import { discovery, type Message, notKnown, readMessage } from './read-message.ts';

type Fetch = typeof globalThis.fetch;

/** Bytes of one response, decompressed. */
const maxBytes = 1_048_576;
/** Answers to what a server asks that are on their way at once in a session; the others are not given. */
const maxAnswers = 4;
/** For what nobody waits for: an answer to a server, the end of a session. */
const asideTimeoutMs = 3_000;
const maxRedirects = 3;
const sessionHeader = 'mcp-session-id';

/** JSON-RPC codes by which the end of a stream that never answered reaches whoever waits for the answer. */
export const tooLargeCode = -39_001;
export const cutOffCode = -39_002;
export const tooManyCode = -39_003;

/**
 * `fetch` for the client of a server of tools, over `egress`, which judges every address: one response is bounded, a
 * redirect stays at its origin and is judged like the first address, and nothing is open but the requests that are made
 * and a few answers to those of the server.
 */
export function mcpFetch(egress: Fetch): Fetch {
  let answers = 0;
  const accepted = () => new Response(null, { status: 202 });

  /** Servers may end a session whose client does not answer a ping; what they say to the answer is nothing to anybody. */
  const answer: Fetch = async (input, init) => {
    if (answers >= maxAnswers) return accepted();
    answers += 1;
    try {
      await aside(egress, input, init);
      return accepted();
    } finally {
      answers -= 1;
    }
  };

  return async (input, init) => {
    // What a server has to say unasked nobody reads.
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    // A call may be waiting for the session before to be over.
    if (init?.method === 'DELETE') return aside(egress, input, init);
    const message = sentMessage(init?.body);
    if (message !== null && message.method === undefined) return answer(input, init);
    const response = await redirected(egress, input, init);
    if (!response.ok)
      return refusal(response, { sent: message, session: new Headers(init?.headers).get(sessionHeader) });
    return bounded(response, message?.id === undefined ? null : message);
  };
}

/** A request whose answer is not read. */
async function aside(
  egress: Fetch,
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  const late = AbortSignal.timeout(asideTimeoutMs);
  const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
  const { status, body } = await unlessAborted(redirected(egress, input, { ...init, signal }), signal);
  await body?.cancel();
  return new Response(null, { status });
}

async function redirected(
  egress: Fetch,
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  let url = new URL(input instanceof Request ? input.url : input);
  for (let hop = 0; ; hop++) {
    const response = await egress(url, init);
    if (response.status < 300 || response.status > 399) return response;
    await response.body?.cancel();
    url = nextUrl(url, response, hop);
  }
}

function nextUrl(from: URL, { status, headers }: Response, hop: number): URL {
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

interface Refused {
  readonly sent: Message | null;
  /** That the request was made in, if any. */
  readonly session: string | null;
}

/**
 * A server that has forgotten a session answers 404 (MCP 2025-11-25, Session Management), and some answer 400. What they say
 * beside it is in the way: the client takes an error for the answer to its request, and one that has another id for nothing.
 * A server without sessions has none to forget: what it says is why it refuses.
 */
async function refusal(response: Response, { sent, session }: Refused): Promise<Response> {
  const { status, statusText, body } = response;
  const headers = [...response.headers];
  const isForgotten = status === 404 && session !== null;
  if (isForgotten) await body?.cancel();
  const text = isForgotten || body === null ? '' : await readText(body);
  if (sent?.method !== discovery && isOfRequest(text, sent?.id))
    return new Response(text, { status, statusText, headers });
  if (status === 400 && session !== null)
    throw new McpError('session-ended', 'The server answered 400: it does not know the session any more.');
  return new Response(null, { status, statusText, headers });
}

const errorSchema = z.object({ jsonrpc: z.literal('2.0'), id: z.unknown(), error: z.object() });

/** Whether what is said with a refusal may be an error that answers this request. */
function isOfRequest(text: string, id: unknown): boolean {
  try {
    const said = errorSchema.safeParse(JSON.parse(text));
    return said.success && (said.data.id === undefined || said.data.id === id);
  } catch {
    return false;
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of capped(body)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** `sent`: what is answered; null: it was a notification, and what is said to that nobody reads. */
async function bounded(response: Response, sent: Message | null): Promise<Response> {
  const { status, statusText, body } = response;
  const headers = [...response.headers];
  if (sent === null) {
    await body?.cancel();
    return new Response(null, { status, statusText, headers });
  }
  if (status === 202 || body === null) {
    await body?.cancel();
    return new Response(noAnswer(sent), { headers: { 'content-type': 'application/json' } });
  }
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  const chunks = isStream ? answeredStream(body, sent) : oneMessage(body, sent);
  return new Response(ReadableStream.from(chunks), { status, statusText, headers });
}

async function* oneMessage(body: AsyncIterable<Uint8Array>, sent: Message): AsyncGenerator<Uint8Array> {
  const read = readMessage(await readText(body), sent);
  // What answers another request would leave the client waiting.
  yield Buffer.from(read?.isAnswer === true ? read.json : noAnswer(sent));
}

/** In place of what answers nothing. Throws `McpError`, except of the first question, which only new servers know. */
function noAnswer({ id, method }: Message): string {
  if (method !== discovery)
    throw new McpError('no-answer', 'The server does not answer as the Model Context Protocol has it.');
  return JSON.stringify({ jsonrpc: '2.0', id, error: notKnown });
}

async function* capped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new McpError('too-large', 'The server answered with more than 1 MB.');
    yield chunk;
  }
}

/**
 * The messages of a stream up to the answer, behind which a server might keep it open. The client waits for an answer that
 * a stream which ends without it would never bring: then the last event is one.
 */
async function* answeredStream(body: AsyncIterable<Uint8Array>, sent: Message): AsyncGenerator<Uint8Array> {
  let code = cutOffCode;
  try {
    for await (const data of eventData(fewEvents(capped(body)))) {
      const read = readMessage(data, sent);
      if (read !== null) yield asEvent(read.json);
      if (read?.isAnswer === true) return;
    }
  } catch (error) {
    if (error instanceof McpError) code = tooLargeCode;
    if (error instanceof TooManyEventsError) code = tooManyCode;
  }
  const error = { code, message: 'The stream ended without an answer.' };
  yield asEvent(JSON.stringify({ jsonrpc: '2.0', id: sent.id, error }));
}

const asEvent = (json: string): Uint8Array => Buffer.from(`data: ${json.replaceAll(/[\r\n]/g, ' ')}\n\n`);

function sentMessage(sent: unknown): Message | null {
  return typeof sent === 'string' ? (JSON.parse(sent) as Message) : null;
}
