import { answerError, ParleyError, parseJson, transportError, unexpectedAnswer } from './error.ts';
import { sleep } from './sleep.ts';

/** Where the service is and who speaks. */
export type Connection = {
  /** Origin, and path if the service is mounted under one; no slash at the end. */
  baseUrl: string;
  /** A publishable key in a page, a secret key on a server. */
  key: string;
  /** The platform name of the deployment. */
  platform?: string;
  fetch?: typeof fetch;
};

export type RequestOptions = { signal?: AbortSignal };

export type SendOptions = RequestOptions & {
  /** Sending the same body with the same key again, also after a reload, repeats nothing. Made if absent. */
  idempotencyKey?: string;
};

type Call = RequestOptions & { headers?: Record<string, string>; body?: unknown };

const retryDelays = [250, 500, 1000];
const longestRetryAfterSeconds = 10;

/** One request: a POST if it has a body. Any status of 400 or more throws, as do a failing network and an abort. */
export async function request(
  { baseUrl, key, fetch: send = fetch }: Connection,
  path: string,
  { body, headers, signal }: Call,
): Promise<Response> {
  const response = await send(baseUrl + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    cache: 'no-store',
    credentials: 'omit',
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw transportError(cause, signal);
  });
  if (response.status >= 400) throw await answerError(response);
  return response;
}

/** The JSON object in an answer. A body that breaks off is a network failure. */
export async function readObject(response: Response, signal?: AbortSignal): Promise<Record<string, unknown>> {
  const text = await response.text().catch((cause: unknown) => {
    throw transportError(cause, signal);
  });
  const body = parseJson<unknown>(text);
  if (typeof body !== 'object' || body === null) throw unexpectedAnswer();
  return body as Record<string, unknown>;
}

/**
 * A POST that is repeated when the network fails before `read` is done with the answer, or when the service says
 * 503 with a time to come back. Its `Idempotency-Key` makes the repeats harmless.
 */
export async function requestOnce<T>(
  connection: Connection,
  path: string,
  { headers, idempotencyKey = randomKey(), ...call }: Call & SendOptions,
  read: (response: Response) => Promise<T> | T,
): Promise<T> {
  const keyed = { ...call, headers: { ...headers, 'idempotency-key': idempotencyKey } };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read(await request(connection, path, keyed));
    } catch (error) {
      const delay = retryDelays[attempt];
      if (!(error instanceof ParleyError) || delay === undefined || !isPassing(error)) throw error;
      await sleep(error.retryAfter === undefined ? delay : error.retryAfter * 1000, call.signal);
      if (call.signal?.aborted) throw transportError(error, call.signal);
    }
  }
}

const isPassing = ({ code, status, retryAfter }: ParleyError) =>
  code === 'NETWORK' ||
  (status === 503 && retryAfter !== undefined && retryAfter <= longestRetryAfterSeconds);

/** For an `Idempotency-Key`. `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
export const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
