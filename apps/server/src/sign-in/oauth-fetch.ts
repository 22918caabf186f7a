import { SignInError } from './sign-in-error.ts';

type Fetch = typeof globalThis.fetch;

/** What a sign-in asks with, and OAuth libraries. */
export type OAuthFetch = (
  url: string | URL,
  init?: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string | URLSearchParams | Uint8Array<ArrayBuffer> | ReadableStream | null | undefined;
  },
) => Promise<Response>;

/** Bytes of what an authorization server says, of whatever it is asked. */
const maxBytes = 262_144;
/** For one request, its body with it, however it comes. */
const timeoutMs = 15_000;

/** `fetch` for all that a sign-in asks, over `egress`, which judges every address: an answer is bounded in bytes and time, and read whole. */
export function oauthFetch(egress: Fetch, signal: AbortSignal): OAuthFetch {
  return async (input, { method = 'GET', headers: sent = {}, body: said = null } = {}) => {
    const url = String(input);
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await egress(url, { method, headers: sent, body: said, signal: ends });
    const { status, headers } = response;
    if (status >= 300 && status <= 399) {
      await response.body?.cancel();
      throw new SignInError(
        'failed',
        `${new URL(url).host} answered ${status}, a redirect that is not followed.`,
      );
    }
    const body = await readBounded(response, url);
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: [...headers] });
  };
}

async function readBounded({ body }: Response, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes)
      throw new SignInError('failed', `${new URL(url).host} answered with more than 256 kB.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
