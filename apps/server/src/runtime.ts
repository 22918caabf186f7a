import { openBus } from './bus/open-bus.ts';
import { Bookings } from './calendar/bookings.ts';
import type { Config } from './config.ts';
import { Contacts } from './contact/contacts.ts';
import { loadSecrets } from './crypto/load-secrets.ts';
import { createEgress } from './egress/egress.ts';
import { embedderOf } from './embedder-of.ts';
import { EventBus } from './events/event-bus.ts';
import { serverTimeouts } from './http/connection/server-timeouts.ts';
import { fileUrl } from './http/files/file.ts';
import { openListener } from './http/listener.ts';
import { reencryptSettings } from './jobs/reencrypt-settings.ts';
import { Knowledge } from './knowledge/knowledge.ts';
import { connectionQuotas } from './limit/connection-quotas.ts';
import type { Logger } from './logger.ts';
import { Mailer } from './mail/mailer.ts';
import { ProcessMetrics } from './metrics/process-metrics.ts';
import { TurnMetrics } from './metrics/turn-metrics.ts';
import { MessageSearch } from './search/message-search.ts';
import type { ServiceDeps } from './service-deps.ts';
import { connectionReporter } from './settings/connection-reports.ts';
import { notifyWrites } from './settings/notify-writes.ts';
import { SettingsCache } from './settings/settings-cache.ts';
import { agentBearer } from './sign-in/agent-bearer.ts';
import { SignIns } from './sign-in/sign-ins.ts';
import { openStore } from './store/open-store.ts';
import { createToolRegistry } from './tool/create-tool-registry.ts';
import { openTracer } from './trace/open-tracer.ts';
import { WebhookDirectory } from './webhook/webhook-directory.ts';
import { WebhookOutbox } from './webhook/webhook-outbox.ts';

/** Whoever keeps the service running starts it again, and the file is opened and its log read anew. */
const endProcess = (logger: Logger) => (error: Error) => {
  logger.fatal({ err: error }, 'The database has failed: look at its disk. Nothing more is read or written.');
  process.exit(1);
};

export type Runtime = Awaited<ReturnType<typeof openRuntime>>;

/**
 * What both roles of a process work with: makes what is not given as the configuration says, connects it, and listens
 * without answering yet. `onWebhookQueued`: a delivery waits that this process may make.
 */
export async function openRuntime(
  config: Config,
  logger: Logger,
  given: Partial<ServiceDeps>,
  onWebhookQueued: () => void,
) {
  const { platform, providerKeys } = config;
  const warn = (details: object, message: string) => logger.warn(details, message);
  const store = given.store ?? (await openStore(config, warn, endProcess(logger)));
  const egress = given.egress ?? createEgress({ allow: config.egressAllow });
  const bus = given.bus ?? (await openBus(config, logger));
  const knowledge = new Knowledge({
    store: store.knowledge,
    sources: store.settings.sources,
    bus,
    egress,
    logger,
    // Asked only once all is connected.
    embedderOf: (agentId) => embedderOf(agentDeps, agentId),
  });
  const messages = new MessageSearch(store);
  const bookings = new Bookings(store, (text) => secrets.mac('limit', text));
  const { webhooks, connections } = notifyWrites(store.settings, bus);
  const webhookDirectory = new WebhookDirectory({ webhooks, bus, logger });
  const webhookOutbox = new WebhookOutbox(webhookDirectory, onWebhookQueued);
  const contacts = new Contacts(store, webhookOutbox);
  const mailer = new Mailer(egress);
  const toolRegistry = (given.createToolRegistry ?? createToolRegistry)(
    {
      egress,
      platform,
      knowledge,
      bookings,
      contacts,
      mailer,
      connections: {
        count: ({ id, callsPerMinute }) => store.countQuotas(connectionQuotas(id, callsPerMinute)),
        bearer: (connection) => agentBearer(signIns)(connection),
        signIns: {
          token: (...asked) => signIns.token(...asked),
          link: (...asked) => signIns.link(...asked),
          settled: (...asked) => signIns.settled(...asked),
        },
        report: connectionReporter(connections, logger),
      },
    },
    logger,
  );
  const secrets = await loadSecrets(config, store.settings, (opened) =>
    reencryptSettings(store.settings, { toolRegistry, secrets: opened }, logger),
  ).catch(async (error: unknown) => {
    webhookDirectory.close();
    await bus.close();
    await store.close();
    throw error;
  });
  const settings = new SettingsCache(store.settings, { toolRegistry, secrets }, bus, logger);
  bus.subscribe('settingsChanged', ({ id }) => toolRegistry.forget(id));
  const listener = await openListener(config, given.serverTimeouts ?? serverTimeouts, logger);
  const publicUrl = config.publicUrl ?? listener.url;
  // Without a name of its own the console is opened, and known to passkeys, under this one.
  const consoleOrigin = config.publicUrl ?? `http://localhost:${listener.port}`;
  const signIns = new SignIns({
    records: store.settings.signIns,
    connections: store.settings.connections,
    secrets,
    fetch: egress.fetch,
    address: { publicUrl: consoleOrigin, platform },
    bus,
  });
  const live = new EventBus({ bus, store, logger });
  const metrics =
    config.metricsToken === undefined
      ? null
      : { token: config.metricsToken, turns: new TurnMetrics(), process: new ProcessMetrics() };
  const tracer = await openTracer(config, logger);
  const agentDeps = { settings, toolRegistry, egress, providerKeys, platform, publicUrl };
  await webhookDirectory.load();
  settings.start();

  return {
    config,
    logger,
    store,
    bus,
    egress,
    secrets,
    settings,
    webhooks,
    webhookDirectory,
    webhookOutbox,
    knowledge,
    messages,
    bookings,
    contacts,
    mailer,
    signIns,
    toolRegistry,
    agentDeps,
    providerKeys,
    live,
    metrics,
    tracer,
    listener,
    publicUrl,
    consoleOrigin,
    fileUrl: (id: string) => fileUrl(publicUrl, platform, id),
    async close(): Promise<void> {
      webhookDirectory.close();
      metrics?.process.stop();
      await listener.close();
      settings.stop();
      await Promise.all([tracer?.close(), knowledge.close(), messages.close(), toolRegistry.close()]);
      await egress.close();
      live.close();
      await bus.close();
      await store.close();
    },
  };
}
