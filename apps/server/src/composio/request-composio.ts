import { parseExactJson } from '@parley/protocol/exact-json';
import { z } from 'zod';
import { EgressDeniedError } from '../egress/egress-denied-error.ts';
import { networkReason } from '../egress/network-reason.ts';
import { wasNeverSent } from '../egress/was-never-sent.ts';
import { ComposioError } from './composio-error.ts';

/** Bytes of one answer, decompressed: a page of tools says what each of them returns, too. */
const maxBytes = 4 * 1_048_576;

export interface ComposioEndpoint {
  readonly url: string;
  readonly apiKey?: string | undefined;
}

interface ComposioRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind `/api/v3`, with its query. */
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

export interface ComposioResponse {
  readonly status: number;
  /** Undefined: it is no JSON. */
  readonly body: unknown;
}

/** One request of the REST interface of Composio. Whatever keeps it from an answer is a `ComposioError`. */
export async function requestComposio(
  { url, apiKey }: ComposioEndpoint,
  { method, path, body, signal }: ComposioRequest,
  egress: typeof globalThis.fetch,
): Promise<ComposioResponse> {
  if (apiKey === undefined) throw new ComposioError('failed', 'It has no API key. Enter one.');
  const { host } = new URL(url);
  try {
    const response = await egress(`${url.replace(/\/+$/, '')}/api/v3${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    const { status } = response;
    if (status >= 300 && status <= 399) {
      await response.body?.cancel();
      throw new ComposioError('redirect', `${host} answered ${status}, a redirect that is not followed.`);
    }
    const text = await readBounded(response, host);
    if (status === 401 || status === 403)
      throw new ComposioError('failed', `${host} answered ${status}: it does not take this API key.`);
    if (status === 429) throw new ComposioError('failed', `${host} takes no more requests for now.`);
    // A gateway that does not wait for the end of a call has passed it on.
    if (status >= 500) throw new ComposioError('no-answer', `${host} answered ${status}.`);
    // A list has schemas, whose bounds are numbers; what a call gives has ids, which lose no digit.
    return { status, body: parsed(text, method === 'GET' ? JSON.parse : parseExactJson) };
  } catch (error) {
    throw explained(error, host);
  }
}

/** An answer that has to be of this form. Throws `ComposioError`. */
export function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  { status, body }: ComposioResponse,
  { url, apiKey = '' }: ComposioEndpoint,
): z.infer<Schema> {
  const { host } = new URL(url);
  if (status > 299)
    throw new ComposioError('failed', `${host} answered ${status}: ${reasonOf(body, apiKey)}`);
  const read = schema.safeParse(body);
  if (!read.success) throw new ComposioError('no-answer', `${host} does not answer as Composio does.`);
  return read.data;
}

const reasonSchema = z.object({ error: z.object({ message: z.string() }) });

/** Why a request was refused, on one line, without the key that it may repeat. */
function reasonOf(body: unknown, apiKey: string): string {
  const read = reasonSchema.safeParse(body);
  const said = read.data?.error.message.replaceAll(/[\p{C}\s]+/gu, ' ').trim() ?? '';
  const line = apiKey === '' ? said : said.replaceAll(apiKey, '[redacted]');
  return line === '' ? 'it says nothing more.' : line.slice(0, 300).toWellFormed();
}

async function readBounded({ body }: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ComposioError('too-large', `${host} answered with more than 4 MB.`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parsed(text: string, parse: (json: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function explained(error: unknown, host: string): ComposioError {
  const causes = [...causesOf(error)];
  const known = causes.find((cause) => cause instanceof ComposioError);
  if (known) return known;
  const denied = causes.find((cause) => cause instanceof EgressDeniedError);
  if (denied) return new ComposioError('denied', denied.message);
  if (causes.some(({ name }) => name === 'TimeoutError'))
    return new ComposioError('timeout', `${host} did not answer in time.`);
  if (causes.some(({ name }) => name === 'AbortError'))
    return new ComposioError('failed', 'The call was cancelled.');
  const last = causes.at(-1);
  return new ComposioError(wasNeverSent(last) ? 'failed' : 'no-answer', networkReason(last));
}

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++)
    yield cause;
}
