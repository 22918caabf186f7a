import { setTimeout } from 'node:timers/promises';
import { loadAdminToken } from './auth/admin-token.ts';
import type { Config } from './config.ts';
import { chatTiming } from './http/chat/chat-timing.ts';
import { createHttp } from './http/http.ts';
import type { Logger } from './logger.ts';
import { resolveAgent } from './resolve-agent.ts';
import type { RunningService } from './running-service.ts';
import { openRuntime } from './runtime.ts';
import type { ServiceDeps } from './service-deps.ts';
import { Sessions } from './session/sessions.ts';
import { createSetupLink } from './settings/setup-link.ts';
import type { SessionRecord } from './store/session-store.ts';
import { invalidArguments } from './turn/invalid-arguments.ts';
import { Worker } from './worker.ts';

const drainMs = 25_000;

/** The composition root: opens what the roles share, and serves and works as the configuration says. */
export async function startService(
  config: Config,
  logger: Logger,
  given: Partial<ServiceDeps> = {},
): Promise<RunningService> {
  const runtime = await openRuntime(config, logger, given, () => worker?.deliverQueued());
  const { listener, publicUrl, store } = runtime;
  const adminToken = loadAdminToken(config);
  const resolve = (session: SessionRecord) =>
    (given.resolveAgent ?? resolveAgent)(runtime.agentDeps, session);
  const worker = config.roles.includes('worker')
    ? new Worker({ ...runtime, resolve, isRead: (...reading) => http.isRead(...reading) })
    : null;
  const sessions = new Sessions({ ...runtime, runner: worker?.scheduler ?? null });
  const http = createHttp({
    ...runtime,
    sessions,
    adminToken: adminToken.value,
    invalidArguments: (...asked) => invalidArguments(resolve, ...asked),
    chatTiming: given.chatTiming ?? chatTiming,
  });
  const started = worker?.scheduler.start() ?? Promise.resolve();
  listener.serve(http.app, started);
  await started;
  worker?.start(sessions);

  return {
    url: listener.url,
    adminToken,
    createSetupLink: () => createSetupLink(store.settings, publicUrl),
    async stop() {
      http.rejectRequests();
      listener.drain();
      const late = setTimeout(drainMs, undefined, { ref: false });
      await worker?.stop(drainMs);
      // Turns that run elsewhere, and are answered here: with SQLite there is no other process.
      if (config.postgresUrl !== undefined) await Promise.race([http.repliesEnded(), late]);
      http.endStreams();
      await runtime.close();
    },
  };
}
