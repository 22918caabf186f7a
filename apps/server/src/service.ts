import { setTimeout } from 'node:timers/promises';
import { loadAdminToken } from './auth/admin-token.ts';
import { openBus } from './bus/open-bus.ts';
import type { Config } from './config.ts';
import { loadSecrets } from './crypto/load-secrets.ts';
import { createEgress } from './egress/egress.ts';
import { EventBus } from './events/event-bus.ts';
import { chatTiming } from './http/chat/chat-timing.ts';
import { serverTimeouts } from './http/connection/server-timeouts.ts';
import { fileUrl } from './http/files/file.ts';
import { createHttp } from './http/http.ts';
import { openListener } from './http/listener.ts';
import { startJobs } from './jobs/jobs.ts';
import { reencryptSettings } from './jobs/reencrypt-settings.ts';
import type { Logger } from './logger.ts';
import { Knowledge } from './knowledge/knowledge.ts';
import { ProcessMetrics } from './metrics/process-metrics.ts';
import { TurnMetrics } from './metrics/turn-metrics.ts';
import { preloadModels, resolveAgent } from './resolve-agent.ts';
import type { RunningService } from './running-service.ts';
import type { ServiceDeps } from './service-deps.ts';
import { Sessions } from './session/sessions.ts';
import { createSetupLink } from './settings/setup-link.ts';
import { SettingsCache } from './settings/settings-cache.ts';
import { openStore } from './store/open-store.ts';
import { createToolRegistry } from './tool/create-tool-registry.ts';
import { Scheduler } from './turn/scheduler.ts';

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
  });
  const toolRegistry = (given.createToolRegistry ?? createToolRegistry)(
    { egress, platform, knowledge },
    logger,
  );
  const secrets = await loadSecrets(config, store.settings, (opened) =>
    reencryptSettings(store.settings, { toolRegistry, secrets: opened }, logger),
  ).catch(async (error: unknown) => {
    await bus.close();
    await store.close();
    throw error;
  });
  const adminToken = loadAdminToken(config);
  const settings = new SettingsCache(store.settings, { toolRegistry, secrets }, bus);
  bus.subscribe('settingsChanged', ({ id }) => toolRegistry.forget(id));
  const listener = await openListener(config, given.serverTimeouts ?? serverTimeouts, logger);
  const publicUrl = config.publicUrl ?? listener.url;
  const live = new EventBus({ bus, store, logger });
  const metrics =
    config.metricsToken === undefined
      ? null
      : { token: config.metricsToken, turns: new TurnMetrics(), process: new ProcessMetrics() };
  const agentDeps = { settings, toolRegistry, egress, providerKeys, platform, publicUrl };
  const isWorker = config.roles.includes('worker');
  const scheduler = isWorker
    ? new Scheduler({
        store,
        bus,
        logger,
        resolveAgent: (session) => (given.resolveAgent ?? resolveAgent)(agentDeps, session),
        publish(sessionId, events) {
          metrics?.turns.note(sessionId, events);
          live.publish(sessionId, events);
        },
        isRead: (...reading) => http.isRead(...reading),
      })
    : null;
  const addressOf = (id: string) => fileUrl(publicUrl, platform, id);
  const sessions = new Sessions({ store, runner: scheduler, bus, live, fileUrl: addressOf });
  const parts = { config, store, settings, secrets, sessions, bus, live, toolRegistry, knowledge, logger };
  const http = createHttp({
    ...parts,
    egress,
    providerKeys,
    listener,
    publicUrl,
    fileUrl: addressOf,
    adminToken: adminToken.value,
    chatTiming: given.chatTiming ?? chatTiming,
    metrics,
  });
  const started = scheduler?.start() ?? Promise.resolve();
  listener.serve(http.app, started);
  await started;
  const stopJobs = isWorker ? startJobs(parts) : null;
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
      http.endStreams();
      metrics?.process.stop();
      await listener.close();
      await knowledge.close();
      await toolRegistry.close();
      await egress.close();
      live.close();
      await bus.close();
      await store.close();
    },
  };
}
