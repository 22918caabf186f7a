import { approvalPagePattern } from '@parley/protocol/approval-paths';
import { fillPath } from '@parley/protocol/paths';
import { ApprovalMailer } from './approval/approval-mailer.ts';
import { webhookLink } from './approval/webhook-link.ts';
import { shownTools } from './http/widget/shown-tools.ts';
import { startJobs } from './jobs/jobs.ts';
import { ReadyMailer } from './ready-mail/ready-mailer.ts';
import { preloadModels, type resolveAgent } from './resolve-agent.ts';
import type { Runtime } from './runtime.ts';
import type { Sessions } from './session/sessions.ts';
import type { SessionRecord } from './store/session-store.ts';
import { Scheduler } from './turn/scheduler.ts';
import { WebhookDeliverer } from './webhook/webhook-deliverer.ts';

interface WorkerDeps extends Runtime {
  readonly resolve: (session: SessionRecord) => ReturnType<typeof resolveAgent>;
  /** Whether somebody waits for the Chat turn of this item, in any process but this one. */
  readonly isRead: (sessionId: string, itemId: string, butIn: string) => boolean;
}

/** What a process of the role `worker` does: runs turns, tells webhooks, sends mails, and keeps the store tidy. */
export class Worker {
  readonly scheduler: Scheduler;
  readonly #deps: WorkerDeps;
  readonly #deliverer: WebhookDeliverer;
  readonly #approvalMailer: ApprovalMailer;
  readonly #readyMailer: ReadyMailer;
  #stopJobs = () => {};

  constructor(deps: WorkerDeps) {
    const { config, publicUrl, store, settings, secrets, live, metrics } = deps;
    const pageUrl = (token: string) => publicUrl + fillPath(approvalPagePattern(config.platform), token);
    this.#deps = deps;
    this.#deliverer = new WebhookDeliverer({
      ...deps,
      approvalLink: (asked) => webhookLink({ store, secrets, pageUrl }, asked),
    });
    this.#approvalMailer = new ApprovalMailer({
      ...deps,
      displaysOf: (agentId) => shownTools(settings, agentId),
      pageUrl,
    });
    this.#readyMailer = new ReadyMailer(deps);
    this.scheduler = new Scheduler({
      ...deps,
      resolveAgent: deps.resolve,
      publish(sessionId, events) {
        metrics?.turns.note(sessionId, events);
        live.publish(sessionId, events);
      },
    });
  }

  /** Once sessions have their runner and are served. */
  start(sessions: Sessions): void {
    this.#stopJobs = startJobs({ ...this.#deps, sessions });
    this.#deliverer.start();
    this.#approvalMailer.start();
    this.#readyMailer.start();
    setImmediate(() => preloadModels(this.#deps.logger));
  }

  deliverQueued(): void {
    this.#deliverer.wake();
  }

  /** Takes no more work, and resolves when the turns that run are over, or are handed on after so long. */
  async stop(drainMs: number): Promise<void> {
    this.#stopJobs();
    await this.scheduler.drain(drainMs);
    await Promise.all([this.#deliverer.stop(), this.#approvalMailer.stop(), this.#readyMailer.stop()]);
  }
}
