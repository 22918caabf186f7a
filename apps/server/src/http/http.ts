import type { Express } from 'express';
import { createListedOrigins } from '../auth/listed-origins.ts';
import { createConsoleCookie } from '../auth/console-cookie.ts';
import type { Config } from '../config.ts';
import { listUnbuilt } from '../unbuilt.ts';
import { createApp } from './app.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { HttpListener } from './listener.ts';
import { createCors } from './middleware/cors.ts';
import { createSignInCookie } from './sign-in/sign-in-cookie.ts';
import { type RoutesDeps, createRoutes } from './routes.ts';

interface HttpDeps extends Omit<
  RoutesDeps,
  | 'cors'
  | 'cookie'
  | 'signInCookie'
  | 'lifecycle'
  | 'ownOrigins'
  | 'platform'
  | 'connectionStatus'
  | 'listUnbuilt'
> {
  readonly config: Config;
  readonly listener: HttpListener;
}

interface Http {
  readonly app: Express;
  /** From now on every request but those for health is told to go elsewhere. */
  rejectRequests(): void;
  /** Whether somebody waits for the Chat turn of this item, in any process but this one. */
  isRead(sessionId: string, itemId: string, butIn: string): boolean;
  /** Resolves once every Chat reply that was waited for here is over. */
  repliesEnded(): Promise<void>;
  /** Ends every stream that is still open. */
  endStreams(): void;
}

/** Everything that is served, ready for the listener. */
export function createHttp(deps: HttpDeps): Http {
  const { config, listener, publicUrl, consoleOrigin, store, secrets, bus, logger } = deps;
  const { platform, trustProxy } = config;
  const lifecycle: Lifecycle = { draining: false };
  const ownOrigins = new Set([publicUrl, config.embedUrl ?? publicUrl]);
  ownOrigins.add(consoleOrigin);
  const cors = createCors({ platform, ownOrigins, listed: createListedOrigins(store, bus) });
  const connectionStatus = () => listener.status();
  const https = publicUrl.startsWith('https:');
  const cookie = createConsoleCookie(https);
  const isWeb = config.roles.includes('web');
  const routes = createRoutes({
    ...deps,
    cors,
    cookie,
    signInCookie: createSignInCookie(https),
    lifecycle,
    ownOrigins,
    platform,
    connectionStatus,
    // A worker has no pages.
    listUnbuilt: isWeb ? listUnbuilt : () => [],
  });
  return {
    app: createApp({
      cors,
      logger,
      secrets,
      lifecycle,
      healthOnly: !isWeb,
      trustProxy,
      maxOpenRequests: config.maxConnectionsPerAddress,
      https,
      router: routes.router,
    }),
    rejectRequests() {
      lifecycle.draining = true;
    },
    isRead: (...reading) => routes.isRead(...reading),
    repliesEnded: () => routes.repliesEnded(),
    endStreams: () => routes.endStreams(),
  };
}
