import { filenameHeader } from '@parley/protocol/file-paths';
import type { Request, Response } from 'express';
import type { ListedOrigins } from '../../auth/listed-origins.ts';
import { originListed } from '../../auth/origins.ts';
import type { KeyRecord } from '../../store/settings-store.ts';
import { ProblemError } from '../problem.ts';

export interface Cors {
  /** Whether pages of other origins may call this path at all. */
  covers(path: string): boolean;
  /** Answers a preflight, which carries no key: granted to an origin that some publishable key lists. */
  preflight(request: Request, response: Response, methods: readonly string[]): Promise<void>;
  /** Judges a request by its own key: sets the CORS headers, or throws `ORIGIN_NOT_ALLOWED` and sets none. */
  admit(request: Request, response: Response, key: KeyRecord): void;
  /** Lets the page read a refusal that came before any key was known. */
  explain(request: Request, response: Response): Promise<void>;
}

export function createCors(options: {
  readonly platform: string;
  /** Pages of the service itself: always allowed. */
  readonly ownOrigins: ReadonlySet<string>;
  readonly listed: ListedOrigins;
}): Cors {
  const { platform, ownOrigins, listed } = options;
  const exposed = [
    ...['session-id', 'continuation-token', 'stream-format', 'stream-version', 'stream-tail-index'].map(
      (name) => `x-${platform}-${name}`,
    ),
    'x-vercel-ai-ui-message-stream',
    'retry-after',
    // Clocks of visitors are wrong: the widget counts from this one.
    'date',
    'x-request-id',
  ].join(', ');
  const allowedHeaders = `authorization, content-type, idempotency-key, x-${platform}-visitor-token, ${filenameHeader(platform)}`;
  const sessionPath = `/${platform}/v1/`;

  const decide = (response: Response, origin: string | null): void => {
    response.locals['originDecided'] = true;
    if (origin === null) return;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', exposed);
  };
  const known = async (origin: string): Promise<boolean> =>
    origin !== 'null' && (ownOrigins.has(origin) || (await listed.includes(origin)));

  return {
    covers: (path) => path.startsWith(sessionPath) || /^\/api\/v1\/agent\/chat(?:\/|$)/.test(path),

    async preflight(request, response, methods) {
      const { origin } = request.headers;
      if (origin !== undefined && (await known(origin))) {
        response.setHeader('access-control-allow-origin', origin);
        response.setHeader('access-control-allow-methods', methods.join(', '));
        response.setHeader('access-control-allow-headers', allowedHeaders);
        response.setHeader('access-control-max-age', '600');
      }
      response.status(204).end();
    },

    admit(request, response, key) {
      if (key.kind === 'secret') return decide(response, null);
      const { origin } = request.headers;
      if (origin === undefined) {
        decide(response, null);
        // A page's GET to its own origin carries no Origin, and says so here.
        if (key.allowMissingOrigin || request.headers['sec-fetch-site'] === 'same-origin') return;
        throw new ProblemError(
          'ORIGIN_NOT_ALLOWED',
          'This key is for browsers only: the request names no origin.',
        );
      }
      if (ownOrigins.has(origin) || originListed(origin, key.allowedOrigins)) return decide(response, origin);
      decide(response, null);
      throw originNotAllowed(origin);
    },

    async explain(request, response) {
      const { origin } = request.headers;
      if (origin === undefined || response.locals['originDecided'] === true) return;
      decide(response, (await known(origin)) ? origin : null);
    },
  };
}

/** Names the exact origin to add. */
export function originNotAllowed(origin: string): ProblemError {
  const shown = /^[\w.:/[\]-]{1,300}$/.test(origin) ? origin : 'this origin';
  return new ProblemError(
    'ORIGIN_NOT_ALLOWED',
    shown === 'null'
      ? 'A page without an origin of its own (sandboxed, or opened from a file) cannot use a key.'
      : `The key's allowed origins do not include ${shown}. Add it to the key to use it on this page.`,
  );
}
