import { type Clock, systemClock } from './clock.ts';
import { answerError, isPassing, ParleyError, parseJson, transportError, unexpectedAnswer } from './error.ts';
import { retryDelay, sleep } from './sleep.ts';
import { type WakeEvents, whenAwake } from './when-awake.ts';

/** Where the service is and who speaks. */
export type Connection = {
  /** Origin, and path if the service is mounted under one; no slash at the end. */
  baseUrl: string;
  /** A publishable key in a page, a secret key on a server. */
  key: string;
  /** The platform name of the deployment. */
  platform?: string;
  fetch?: typeof fetch;
  clock?: Clock;
  /** What is global by default: in a page its window. */
  events?: WakeEvents;
};

export type RequestOptions = { signal?: AbortSignal };

export type SendOptions = RequestOptions & {
  /** Sending the same body with the same key again, also after a reload, repeats nothing. Made if absent. */
  idempotencyKey?: string;
};

type Call = RequestOptions & {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead. */
  content?: Blob | string | undefined;
  /** Milliseconds that it may take besides the time for its bytes; 30 s by default. */
  timeout?: number;
};

const retryDelays = [250, 500, 1000];
const longestRetryAfterSeconds = 10;
const defaultTimeout = 30_000;
/** Bytes in a millisecond: whatever is slower is no connection. */
const slowest = 20;
/** After this much waiting a device that wakes up, or is online again, does not trust its connection. */
const suspiciousSilence = 7_500;

/** One request: a POST if it has a body. Any status of 400 or more throws, as do a failing network and an abort. */
export async function request(
  { baseUrl, key, fetch: send = fetch }: Connection,
  path: string,
  { body, content, headers, signal }: Call,
): Promise<Response> {
  const sent = content ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await send(baseUrl + path, {
    ...(sent !== undefined && { method: 'POST', body: sent }),
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

/**
 * A request that `read` is done with in 30 seconds and a time for its bytes, or that failed as a network does. It fails
 * sooner when the device wakes up or comes online after it has waited in vain.
 */
export async function requestInTime<T>(
  connection: Connection,
  path: string,
  call: Call,
  read: (response: Response) => Promise<T> | T,
): Promise<T> {
  const {
    signal,
    content = JSON.stringify(call.body) as string | undefined,
    timeout = defaultTimeout,
  } = call;
  const bytes = (typeof content === 'string' ? content.length : content?.size) ?? 0;
  const { clock = systemClock } = connection;
  const begun = clock.now();
  const attempt = new AbortController();
  const over = new AbortController();
  const stop = () => attempt.abort();
  const cancel = clock.after(timeout + bytes / slowest, stop);
  whenAwake(connection, over.signal, () => {
    if (clock.now() - begun > suspiciousSilence + bytes / slowest) stop();
  });
  signal?.addEventListener('abort', stop, over);
  try {
    // A `fetch` of the caller's may wait for something else than the network, and not hear of the abort.
    const stopped = new Promise<never>((_, reject) =>
      attempt.signal.addEventListener('abort', () => reject(transportError(undefined, signal))),
    );
    if (signal?.aborted) stop();
    return await Promise.race([
      stopped,
      request(connection, path, { ...call, content, signal: attempt.signal }).then(read),
    ]);
  } finally {
    cancel();
    over.abort();
  }
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
 * A POST that is repeated a few times when the network fails before `read` is done with the answer, or when whatever
 * stands between says that the service cannot be reached for the moment. Its `Idempotency-Key` makes the repeats
 * harmless. A limit, and a longer wait, are the caller's to wait for. `send`: as `requestInTime` does.
 */
export async function requestOnce<T>(
  connection: Connection,
  path: string,
  { headers, idempotencyKey = randomKey(), ...call }: Call & SendOptions,
  read: (response: Response) => Promise<T> | T,
  send: typeof requestInTime<T> = requestInTime,
): Promise<T> {
  const keyed = { ...call, headers: { ...headers, 'idempotency-key': idempotencyKey } };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(connection, path, keyed, read);
    } catch (error) {
      const delay = retryDelays[attempt];
      if (!(error instanceof ParleyError) || delay === undefined || !isBrief(error)) throw error;
      await sleep(retryDelay(delay, error.retryAfter), call.signal, connection.clock);
      if (call.signal?.aborted) throw transportError(error, call.signal);
    }
  }
}

const isBrief = (error: ParleyError) =>
  isPassing(error) && error.status !== 429 && (error.retryAfter ?? 0) <= longestRetryAfterSeconds;

/** For an `Idempotency-Key`. `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
export const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
