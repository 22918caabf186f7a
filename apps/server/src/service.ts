import { setTimeout } from 'node:timers/promises';
import { approvalPagePattern } from '@parley/protocol/approval-paths';
import { fillPath } from '@parley/protocol/paths';
import { ApprovalMailer } from './approval/approval-mailer.ts';
import { webhookLink } from './approval/webhook-link.ts';
import { loadAdminToken } from './auth/admin-token.ts';
import { openBus } from './bus/open-bus.ts';
import { Bookings } from './calendar/bookings.ts';
import type { Config } from './config.ts';
import { Contacts } from './contact/contacts.ts';
import { loadSecrets } from './crypto/load-secrets.ts';
import { createEgress } from './egress/egress.ts';
import { embedderOf } from './embedder-of.ts';
import { EventBus } from './events/event-bus.ts';
import { chatTiming } from './http/chat/chat-timing.ts';
import { serverTimeouts } from './http/connection/server-timeouts.ts';
import { fileUrl } from './http/files/file.ts';
import { shownTools } from './http/widget/shown-tools.ts';
import { createHttp } from './http/http.ts';
import { openListener } from './http/listener.ts';
import { startJobs } from './jobs/jobs.ts';
import { ReadyMailer } from './ready-mail/ready-mailer.ts';
import { reencryptSettings } from './jobs/reencrypt-settings.ts';
import { connectionQuotas } from './limit/connection-quotas.ts';
import type { Logger } from './logger.ts';
import { Knowledge } from './knowledge/knowledge.ts';
import { Mailer } from './mail/mailer.ts';
import { ProcessMetrics } from './metrics/process-metrics.ts';
import { TurnMetrics } from './metrics/turn-metrics.ts';
import { preloadModels, resolveAgent } from './resolve-agent.ts';
import type { RunningService } from './running-service.ts';
import type { ServiceDeps } from './service-deps.ts';
import { Sessions } from './session/sessions.ts';
import { MessageSearch } from './search/message-search.ts';
import { connectionReporter } from './settings/connection-reports.ts';
import { agentBearer } from './sign-in/agent-bearer.ts';
import { SignIns } from './sign-in/sign-ins.ts';
import { createSetupLink } from './settings/setup-link.ts';
import { notifyWrites } from './settings/notify-writes.ts';
import { SettingsCache } from './settings/settings-cache.ts';
import type { SessionRecord } from './store/session-store.ts';
import { openStore } from './store/open-store.ts';
import { createToolRegistry } from './tool/create-tool-registry.ts';
import { openTracer } from './trace/open-tracer.ts';
import { invalidArguments } from './turn/invalid-arguments.ts';
import { Scheduler } from './turn/scheduler.ts';
import { WebhookDeliverer } from './webhook/webhook-deliverer.ts';
import { WebhookDirectory } from './webhook/webhook-directory.ts';
import { WebhookOutbox } from './webhook/webhook-outbox.ts';

const drainMs = 25_000;

/** The composition root: makes what is not given as the configuration says, connects it, and listens. */
export async function startService(
  config: Config,
  logger: Logger,
  given: Partial<ServiceDeps> = {},
): Promise<RunningService> {
  const { platform, providerKeys } = config;
  const warn = (details: object, message: string) => logger.warn(details, message);
  const store = given.store ?? (await openStore(config, warn));
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
  const bookings = new Bookings(store);
  const { webhooks } = notifyWrites(store.settings, bus);
  const webhookDirectory = new WebhookDirectory({ webhooks, bus, logger });
  const webhookOutbox = new WebhookOutbox(webhookDirectory, () => deliverer?.wake());
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
        report: connectionReporter(notifyWrites(store.settings, bus).connections, logger),
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
  const adminToken = loadAdminToken(config);
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
  const resolve = (session: SessionRecord) => (given.resolveAgent ?? resolveAgent)(agentDeps, session);
  const isWorker = config.roles.includes('worker');
  await webhookDirectory.load();
  settings.start();
  const pageUrl = (token: string) => publicUrl + fillPath(approvalPagePattern(platform), token);
  const deliverer = isWorker
    ? new WebhookDeliverer({
        store,
        webhooks,
        secrets,
        egress,
        approvalLink: (asked) => webhookLink({ store, secrets, pageUrl }, asked),
        logger,
      })
    : null;
  const approvalMailer = isWorker
    ? new ApprovalMailer({
        store,
        settings,
        displaysOf: (agentId) => shownTools(settings, agentId),
        secrets,
        mailer,
        pageUrl,
        logger,
      })
    : null;
  const readyMailer = isWorker ? new ReadyMailer({ store, settings, secrets, mailer, logger }) : null;
  const scheduler = isWorker
    ? new Scheduler({
        store,
        bus,
        logger,
        tracer,
        webhookOutbox,
        resolveAgent: resolve,
        publish(sessionId, events) {
          metrics?.turns.note(sessionId, events);
          live.publish(sessionId, events);
        },
        isRead: (...reading) => http.isRead(...reading),
      })
    : null;
  const addressOf = (id: string) => fileUrl(publicUrl, platform, id);
  const sessions = new Sessions({
    store,
    runner: scheduler,
    bus,
    live,
    signIns,
    webhookOutbox,
    fileUrl: addressOf,
  });
  const parts = {
    config,
    store,
    settings,
    secrets,
    sessions,
    messages,
    bus,
    live,
    toolRegistry,
    knowledge,
    bookings,
    contacts,
    mailer,
    signIns,
    webhookDirectory,
    webhookOutbox,
    logger,
  };
  const http = createHttp({
    ...parts,
    egress,
    providerKeys,
    listener,
    publicUrl,
    consoleOrigin,
    fileUrl: addressOf,
    adminToken: adminToken.value,
    invalidArguments: (...asked) => invalidArguments(resolve, ...asked),
    chatTiming: given.chatTiming ?? chatTiming,
    metrics,
    tracer,
  });
  const started = scheduler?.start() ?? Promise.resolve();
  listener.serve(http.app, started);
  await started;
  const stopJobs = isWorker ? startJobs(parts) : null;
  deliverer?.start();
  approvalMailer?.start();
  readyMailer?.start();
  if (isWorker) setImmediate(() => preloadModels(logger));

  return {
    url: listener.url,
    adminToken,
    createSetupLink: () => createSetupLink(store.settings, publicUrl),
    async stop() {
      http.rejectRequests();
      stopJobs?.();
      // Still listening: whoever asks meanwhile is told to go elsewhere.
      if (scheduler) await scheduler.drain(drainMs);
      // Turns that run elsewhere, and are answered here.
      else await Promise.race([http.repliesEnded(), setTimeout(drainMs, undefined, { ref: false })]);
      await deliverer?.stop();
      await Promise.all([approvalMailer?.stop(), readyMailer?.stop()]);
      webhookDirectory.close();
      http.endStreams();
      metrics?.process.stop();
      await tracer?.close();
      await listener.close();
      settings.stop();
      await knowledge.close();
      await messages.close();
      await toolRegistry.close();
      await egress.close();
      live.close();
      await bus.close();
      await store.close();
    },
  };
}
