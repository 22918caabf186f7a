import { type Dispatcher, fetch as undiciFetch, type RequestInit } from 'undici';
import { parseDestination } from './destination.ts';
import { EgressDeniedError } from './egress-denied-error.ts';

/** `fetch` over one dispatcher, whatever the globals are. */
export function guardedFetch(dispatcher: Dispatcher): typeof globalThis.fetch {
  const guarded = async (input: string | URL | Request, init?: RequestInit) => {
    if (input instanceof Request) throw new TypeError('Pass an address and options, not a Request.');
    const url = parseDestination(String(input));
    try {
      return await undiciFetch(url, { ...init, dispatcher, redirect: 'manual' });
    } catch (error) {
      if (error instanceof TypeError && error.cause instanceof EgressDeniedError) throw error.cause;
      if (error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port')
        throw new EgressDeniedError(
          'port',
          `Port ${url.port} is one that no HTTP client may call. Choose another.`,
        );
      throw error;
    }
  };
  // The package's classes and Node's own are two declarations of the same standard ones.
  return guarded as unknown as typeof globalThis.fetch;
}
