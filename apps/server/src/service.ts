import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createConversations } from './conversations.ts';
import { createEgress, type Egress } from './egress/egress.ts';
import { equip } from './equipment.ts';
import { requireAdmin } from './http/admin.ts';
import { type ChatTiming, chatTiming } from './http/chat-timing.ts';
import { Connections } from './http/connections.ts';
import { createCors } from './http/cors.ts';
import { docsRoutes } from './http/docs.ts';
import { healthRoutes } from './http/health.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { inPipelineOrder } from './http/in-pipeline-order.ts';
import { type ServerTimeouts, serverTimeouts } from './http/server-timeouts.ts';
import { createHttpServer, refuseUnreadable } from './http/server.ts';
import { settingsRoutes } from './http/settings/settings.ts';
import { statusRoutes } from './http/settings/status.ts';
import { widgetConfigRoutes } from './http/widget-config.ts';
import { widgetRoutes } from './http/widget.ts';
import type { Logger } from './log.ts';
import { keptSecret } from './secret/kept-secret.ts';
import { requireSameSecrets } from './secret/same-secrets.ts';
import { createSecrets } from './secret/secrets.ts';
import { createSettingsChanges } from './settings/changes.ts';
import { createListedOrigins } from './settings/listed-origins.ts';
import { resealSettings } from './settings/reseal-settings.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

export interface RunningService {
  /** Where it can be reached on this machine. */
  readonly url: string;
  readonly adminToken: { readonly value: string; readonly made: boolean };
  /** Takes no more work, lets running turns finish (25 s at most), then lets go of everything. */
  stop(): Promise<void>;
}

/** How long requests may take to finish once the last turn has. */
const lastAnswersMs = 2_500;

/** What reaches beyond the process. */
interface ServiceParts {
  readonly store: Store;
  readonly egress: Egress;
  readonly equip: typeof equip;
  readonly chatTiming: ChatTiming;
  readonly serverTimeouts: ServerTimeouts;
}

/** Wires the parts, and listens. Parts that are not given are made as the configuration says. */
export async function startService(
  config: Config,
  logger: Logger,
  parts: Partial<ServiceParts> = {},
): Promise<RunningService> {
  const store =
    parts.store ??
    (await openSqliteStore({
      path: config.databaseFile,
      warn: (details, message) => logger.warn(details, message),
    }));
  const secrets = createSecrets(
    config.secretKeyBase ?? [keptSecret(`${config.databaseFile}.secret-key-base`).value],
  );
  try {
    await requireSameSecrets(store.settings, secrets, () => resealSettings(store.settings, secrets, logger));
  } catch (error) {
    await store.close();
    throw error;
  }
  const adminToken =
    config.adminToken === undefined
      ? keptSecret(`${config.databaseFile}.admin-token`)
      : { value: config.adminToken, made: false };
  const changes = createSettingsChanges();
  const egress = parts.egress ?? createEgress({ allow: config.egressAllow });
  const lifecycle: Lifecycle = { draining: false };

  const timeouts = parts.serverTimeouts ?? serverTimeouts;
  const { maxConnections, maxConnectionsPerAddress, trustProxy } = config;
  const connections = new Connections(
    { maxConnections, maxConnectionsPerAddress: trustProxy > 0 ? Infinity : maxConnectionsPerAddress },
    timeouts,
    logger,
  );
  const server = createHttpServer(timeouts, connections);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const publicUrl = config.publicUrl ?? url;
  const ownOrigins = new Set([publicUrl, config.embedUrl ?? publicUrl]);
  if (config.publicUrl === undefined) ownOrigins.add(`http://localhost:${port}`);

  const cors = createCors({
    platform: config.platform,
    ownOrigins,
    listed: createListedOrigins(store, changes),
  });
  const conversations = createConversations({
    config,
    store,
    secrets,
    egress,
    equip: parts.equip ?? equip,
    chatTiming: parts.chatTiming ?? chatTiming,
    cors,
    changes,
    logger,
    publicUrl,
  });
  const admin = requireAdmin(adminToken.value);
  const app = createApp({
    cors,
    logger,
    secrets,
    lifecycle,
    trustProxy,
    maxOpenRequests: maxConnectionsPerAddress,
    https: publicUrl.startsWith('https:'),
    routers: [
      ...conversations.routers,
      healthRoutes({ store, lifecycle }),
      docsRoutes({ platform: config.platform }),
      widgetConfigRoutes({ store, secrets, ownOrigins, platform: config.platform }),
      widgetRoutes({ store }),
      ...settingsRoutes({ store, secrets, changes, egress, platform: config.platform, admin }),
      statusRoutes({
        admin,
        status: () => ({ connections: connections.status(), streams: conversations.streamStatus() }),
      }),
    ],
  });
  const started = conversations.start();
  // A request that comes in before waits, instead of finding nobody.
  server.on(
    'request',
    inPipelineOrder((request, response) => {
      if (!refuseUnreadable(request, response)) void started.then(() => app(request, response));
    }),
  );
  await started;
  // The first visitor should not wait for the model layer to load; being ready should not either.
  setImmediate(() => {
    import('./model/ai-sdk.ts').catch((error: unknown) =>
      logger.error({ err: error }, 'The model layer could not be loaded.'),
    );
  });

  return {
    url,
    adminToken,
    async stop() {
      lifecycle.draining = true;
      // Still listening: whoever asks meanwhile is told to go elsewhere.
      await conversations.drain();
      await Promise.race([closed(server), setTimeout(lastAnswersMs, undefined, { ref: false })]);
      server.closeAllConnections();
      await egress.close();
      await store.close();
    },
  };
}

/** Closes the listener, and resolves when the last request has its answer. */
async function closed(server: Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  server.close();
  await once(server, 'close');
  clearInterval(sweep);
}
