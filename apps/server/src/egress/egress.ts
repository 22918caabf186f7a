import type { Socket } from 'node:net';
import { Agent, type buildConnector, Client } from 'undici';
import { guardedFetch } from './guarded-fetch.ts';
import { checkedAddresses, mailPorts, parseDestination, type Resolve } from './destination.ts';
import { parseEgressAllow } from './egress-allow.ts';
import { EgressDeniedError, type DenialReason } from './egress-denied-error.ts';
import { guardedConnect } from './guarded-connect.ts';
import { isSendableHeader } from './header-name.ts';
import { errorCode, networkReason } from './network-reason.ts';
import { readBody, readText, TooLargeError, UnknownEncodingError } from './read-text.ts';
import { createSemaphore } from './semaphore.ts';
import { createSystemResolve } from './system-resolve.ts';
import { unlessAborted } from './unless-aborted.ts';

const MAX_BYTES = 1_048_576;
const maxEtagLength = 300;
const maxRetryAfterLength = 100;
const maxPolicyLength = 16_000;
const PARALLEL_PER_TENANT = 4;
/** What a look at an address waits for its name. */
const RESOLVE_MS = 5_000;
/** As long as the slowest call may take. */
const SLOT_WAIT_MS = 120_000;

export interface EgressRequest {
  readonly tenantId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The body is read as text, whatever type it is said to have. */
  readonly isText?: boolean;
  /** Reads the body of a 200 as it comes, of whatever type, in place of `text`, which is empty then. */
  readonly stream?: {
    readonly maxBytes: number;
    readonly read: (body: AsyncIterable<Buffer>, contentType: string) => Promise<void>;
  };
  /** From when a slot is free: for connecting and reading the body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface EgressAnswer {
  readonly outcome: 'answer';
  readonly status: number;
  readonly contentType: string;
  /** The version of what was answered, as its `ETag` says it. */
  readonly etag: string | null;
  /** When to come again, as its `Retry-After` says it: in seconds, or a date of HTTP. */
  readonly retryAfter?: string;
  /** What browsers are told of what the answer may load. */
  readonly contentSecurityPolicy: string | null;
  readonly text: string;
}

/** Why there is no answer. Each `message` is safe to show to an administrator. */
export type EgressFailure =
  /** `explanation`: the message and how an operator opens the address, for administrators alone. */
  | {
      readonly outcome: 'denied';
      readonly reason: DenialReason;
      readonly message: string;
      readonly explanation: string;
    }
  /** `location`: where to, as the far side wrote it. */
  | {
      readonly outcome: 'redirect';
      readonly status: number;
      readonly location: string | null;
      readonly message: string;
    }
  | { readonly outcome: 'content-type'; readonly status: number; readonly message: string }
  | { readonly outcome: 'too-large'; readonly status: number; readonly message: string }
  /** `sent`: the far side may have received the request. `answered`: the status of an answer that did not come to its end. */
  | {
      readonly outcome: 'timeout' | 'network' | 'aborted';
      readonly sent: boolean;
      readonly answered?: number;
      readonly message: string;
    };

/** The one way out of the process. Nothing it does depends on `globalThis.fetch` or a global dispatcher. */
export interface Egress {
  /** One bounded exchange on a connection of its own. Never rejects for what the far side does. */
  request(request: EgressRequest): Promise<EgressAnswer | EgressFailure>;
  /**
   * `fetch` under the same address rules, for streaming clients: bodies are not capped, redirects are answers, connections
   * are not reused. A destination that is not allowed throws `EgressDeniedError`.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * A connection to a mail server under the same address rules, at the ports of mail. Rejects with `EgressDeniedError`
   * and with what the network says. Whoever asks for it ends it.
   */
  openMailSocket(host: string, port: number): Promise<Socket>;
  /** Why an address may not be called, as its name resolves now, for administrators; null: it may, or nobody knows the name. */
  refusal(url: string): Promise<string | null>;
  /** Cuts every connection. */
  close(): Promise<void>;
}

function isReadable(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (
    type === '' ||
    type.startsWith('text/') ||
    type === 'application/json' ||
    type === 'application/xml' ||
    type === 'application/yaml' ||
    type === 'application/x-yaml' ||
    /^[\w.-]+\/[\w.-]+\+(?:json|xml|yaml)$/.test(type)
  );
}

function headerValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(',') : value) ?? '';
}

/** How far an exchange has come. */
interface Progress {
  readonly connected: () => void;
  readonly answered: (status: number) => void;
}

async function exchange(
  client: Client,
  url: URL,
  request: EgressRequest,
  signal: AbortSignal,
  { answered }: Progress,
) {
  const { statusCode, headers, body } = await client.request({
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'Parley', ...request.headers },
    body: request.body ?? null,
    signal,
  });
  answered(statusCode);
  // Closing the client ends a body that nobody reads; without a listener its error would be an uncaught one.
  body.on('error', () => {});
  if (statusCode >= 300 && statusCode < 400) {
    const message = `The address answered ${statusCode}, a redirect; redirects are not followed.`;
    const location = headerValue(headers['location']) || null;
    return { outcome: 'redirect', status: statusCode, location, message } as const;
  }
  const contentType = headerValue(headers['content-type']);
  const isEmpty = request.method === 'HEAD' || statusCode === 204 || headers['content-length'] === '0';
  const stream = statusCode === 200 && !isEmpty ? request.stream : undefined;
  const maxBytes = stream?.maxBytes ?? MAX_BYTES;
  if (!isEmpty && !stream && request.isText !== true && !isReadable(contentType)) {
    const message = `The address answered ${statusCode} with a content type other than JSON, XML, YAML or text.`;
    return { outcome: 'content-type', status: statusCode, message } as const;
  }
  try {
    const encoding = isEmpty ? '' : headerValue(headers['content-encoding']);
    let text = '';
    if (stream) await readBody(body, { encoding, maxBytes }, (bytes) => stream.read(bytes, contentType));
    else text = await readText(body, { contentType, encoding, maxBytes });
    const etag = headerValue(headers['etag']).slice(0, maxEtagLength) || null;
    const contentSecurityPolicy =
      headerValue(headers['content-security-policy']).slice(0, maxPolicyLength) || null;
    const retryAfter = headerValue(headers['retry-after']).slice(0, maxRetryAfterLength);
    return {
      outcome: 'answer',
      status: statusCode,
      contentType,
      etag,
      ...(retryAfter !== '' && { retryAfter }),
      contentSecurityPolicy,
      text,
    } as const;
  } catch (error) {
    if (error instanceof TooLargeError)
      return {
        outcome: 'too-large',
        status: statusCode,
        message: `The answer is larger than ${maxBytes / MAX_BYTES} MB.`,
      } as const;
    if (error instanceof UnknownEncodingError)
      return {
        outcome: 'content-type',
        status: statusCode,
        message: 'The answer has an unknown content encoding.',
      } as const;
    throw error;
  }
}

/** Throws when an entry of `allow` cannot be read. `resolve` replaces the system's resolver. */
export function createEgress({
  allow,
  resolve = createSystemResolve(),
}: {
  allow: readonly string[];
  resolve?: Resolve;
}): Egress {
  const opened = parseEgressAllow(allow);
  const connect = guardedConnect(opened, resolve);
  const connectMail = guardedConnect(opened, resolve, mailPorts);
  const slots = createSemaphore(PARALLEL_PER_TENANT);
  const clients = new Set<Client>();
  const sockets = new Set<Socket>();
  // Without pipelining a connection carries one request, so no two tenants ever meet on one.
  const agent = new Agent({ connect, pipelining: 0, allowH2: false });

  async function attempt(request: EgressRequest, url: URL, signal: AbortSignal, progress: Progress) {
    const connectAndTell: buildConnector.connector = (options, callback) =>
      connect(options, (...outcome) => {
        if (outcome[0] === null) progress.connected();
        callback(...outcome);
      });
    const client = new Client(url.origin, {
      connect: connectAndTell,
      pipelining: 0,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    clients.add(client);
    try {
      // A client that is still connecting learns of an abort only afterwards.
      return await unlessAborted(exchange(client, url, request, signal, progress), signal);
    } finally {
      clients.delete(client);
      // Not awaited: a client that is still connecting is gone only when that has ended.
      void client.destroy();
    }
  }

  return {
    async request(request) {
      const waiting = AbortSignal.timeout(SLOT_WAIT_MS);
      let timeout: AbortSignal | undefined;
      let sent = false;
      let began: { readonly answered: number } | undefined;
      let release: (() => void) | undefined;
      try {
        const url = parseDestination(request.url);
        const header = Object.keys(request.headers).find((name) => !isSendableHeader(name));
        if (header !== undefined)
          throw new EgressDeniedError('header', `The header ${header} cannot be set.`);
        release = await slots.take(request.tenantId, AbortSignal.any([request.signal, waiting]));
        timeout = AbortSignal.timeout(request.timeoutMs);
        const signal = AbortSignal.any([request.signal, timeout]);
        return await attempt(request, url, signal, {
          connected: () => (sent = true),
          answered: (status) => (began = { answered: status }),
        });
      } catch (error) {
        if (error instanceof EgressDeniedError)
          return {
            outcome: 'denied',
            reason: error.reason,
            message: error.message,
            explanation: error.explanation,
          };
        if (request.signal.aborted) return { outcome: 'aborted', sent, message: 'The call was cancelled.' };
        if (!release)
          return {
            outcome: 'timeout',
            sent,
            message: `Too many calls at once: not made within ${SLOT_WAIT_MS} ms.`,
          };
        if (timeout?.aborted)
          return { outcome: 'timeout', sent, ...began, message: `No answer within ${request.timeoutMs} ms.` };
        if (errorCode(error) === 'UND_ERR_CONNECT_TIMEOUT')
          return { outcome: 'timeout', sent, message: 'No connection within 5 s.' };
        return { outcome: 'network', sent, ...began, message: networkReason(error) };
      } finally {
        release?.();
      }
    },
    async refusal(destination) {
      try {
        const { hostname, port, protocol } = parseDestination(destination);
        const place = {
          hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
          port: Number(port) || (protocol === 'https:' ? 443 : 80),
        };
        await unlessAborted(checkedAddresses(place, opened, resolve), AbortSignal.timeout(RESOLVE_MS));
        return null;
      } catch (error) {
        return error instanceof EgressDeniedError && error.reason !== 'unresolved' ? error.explanation : null;
      }
    },
    fetch: guardedFetch(agent),
    openMailSocket: (hostname, port) =>
      new Promise((done, fail) => {
        connectMail({ hostname, port: String(port), protocol: 'http:' }, (...[error, socket]) => {
          if (error) return fail(error);
          sockets.add(socket);
          socket.once('close', () => sockets.delete(socket));
          done(socket);
        });
      }),
    async close() {
      for (const client of clients) void client.destroy();
      for (const socket of sockets) socket.destroy();
      await agent.destroy();
    },
  };
}
