import { dayMs } from '../store/day-ms.ts';
import type { Bus } from '../bus/bus.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Logger } from '../logger.ts';
import type { SessionEnd } from '../session/session-command.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { sessionCompleted } from '../events/new-event.ts';
import { agentOf } from '../settings/agent.ts';
import { draftId, trialId } from '../settings/draft-id.ts';
import { allRecords } from '../settings/all-records.ts';
import { UnreadableRecordError } from '../settings/unreadable-record-error.ts';

const page = 100;
/** Days after which the ended sessions of agents that are gone are erased. */
const orphanRetentionDays = 30;

/** Conversations that were no visitor's; those of trials only where one broke off. */
const unpublished = (id: string) => [draftId(id), trialId(id), trialId(draftId(id))];

const completed = (): SessionEnd => ({ events: [sessionCompleted()], status: 'completed' });

/** Days that a conversation with a draft is kept. */
const draftRetentionDays = 1;

interface RetentionDeps {
  readonly store: Store;
  readonly sessions: Pick<Sessions, 'end' | 'endIdle'>;
  readonly logger: Logger;
}

/** Ends and erases what each agent's retention says. Sessions of an agent whose record cannot be read stay. */
export async function sweepSessions(
  deps: RetentionDeps & { readonly secrets: Secrets; readonly bus: Pick<Bus, 'publish'> },
): Promise<void> {
  const { store, secrets, logger } = deps;
  for await (const record of allRecords(store.settings.agents)) {
    try {
      const { retentionDays } = agentOf(record, secrets).settings;
      const agent = { id: record.id, retentionDays };
      await endIdleSessions(deps, { ...agent, chat: 'remove' });
      await eraseEndedSessions(deps, { ...agent, isListed: true });
      for (const id of unpublished(record.id)) {
        await endIdleSessions(deps, { id, retentionDays: draftRetentionDays, chat: 'remove' });
        await eraseEndedSessions(deps, { id, retentionDays: 0, isListed: false });
      }
    } catch (error) {
      if (!(error instanceof UnreadableRecordError)) throw error;
      logger.error({ err: error }, 'the sessions of this agent were left as they are');
    }
  }
  // Whoever removed the agent was ending them, and was interrupted. Those with a draft are of no agent, and have a day.
  await endIdleSessions(deps, { id: null, retentionDays: draftRetentionDays, chat: 'end' });
  await eraseEndedSessions(deps, { id: null, retentionDays: orphanRetentionDays, isListed: false });
}

/**
 * Ends what nobody has touched for `retentionDays`. Whoever comes back between the look and the end keeps the conversation.
 * An idle Chat conversation of an agent is removed, so that its id begins afresh.
 */
function endIdleSessions(
  deps: RetentionDeps,
  agent: { readonly id: string | null; readonly retentionDays: number; readonly chat: 'remove' | 'end' },
): Promise<void> {
  const { store, sessions } = deps;
  const idleMs = agent.retentionDays * dayMs;
  return endEach(deps, { agentId: agent.id, idleMs }, async (id) => {
    const session = agent.chat === 'remove' ? await store.getSession(id) : null;
    return session?.interface === 'chat'
      ? store.removeSession(id, { idleMs })
      : sessions.endIdle(id, completed(), idleMs);
  });
}

/** Erases what ended longer than `retentionDays` ago; of agents that are gone, what ended 30 days ago. */
async function eraseEndedSessions(
  { store, bus, logger }: Pick<RetentionDeps, 'store' | 'logger'> & { readonly bus: Pick<Bus, 'publish'> },
  agent: { readonly id: string | null; readonly retentionDays: number; readonly isListed: boolean },
): Promise<void> {
  const idleMs = agent.retentionDays * dayMs;
  await sweepEach(
    logger,
    (skip) => store.listEnded({ agentId: agent.id, idleMs, limit: page, skip }),
    async (id) => {
      const session = await store.getSession(id);
      const removed = await store.removeSession(id);
      // Lists of the team have no others.
      if (removed && agent.isListed && session?.interface === 'sessions')
        bus.publish({ topic: 'threadChanged', sessionId: id, removedFrom: session.agentId });
      return removed;
    },
  );
}

/** Ends every open session of an agent that does not exist any more. */
export async function endSessionsOf(deps: RetentionDeps, agentId: string): Promise<void> {
  for (const id of [agentId, ...unpublished(agentId)])
    await endEach(
      deps,
      { agentId: id, idleMs: 0 },
      async (sessionId) => (await deps.sessions.end(sessionId, completed())) === 'ended',
    );
}

function endEach(
  { store, logger }: RetentionDeps,
  idle: { readonly agentId: string | null; readonly idleMs: number },
  end: (id: string) => Promise<boolean>,
): Promise<void> {
  return sweepEach(logger, (skip) => store.listIdle({ ...idle, limit: page, skip }), end);
}

/** Page by page, until nothing is left but what cannot be done, which keeps none of the others waiting. */
async function sweepEach(
  logger: Logger,
  list: (skip: number) => Promise<readonly string[]>,
  sweep: (id: string) => Promise<boolean>,
): Promise<void> {
  // Those that failed stay at the head of the list.
  for (let failed = 0; ;) {
    const ids = await list(failed);
    const failedBefore = failed;
    let done = 0;
    for (const id of ids) {
      try {
        if (await sweep(id)) done += 1;
      } catch (error) {
        if (error instanceof StoreUnavailableError) throw error;
        failed += 1;
        logger.error({ err: error }, 'a session could not be ended or erased');
      }
    }
    if (ids.length < page || (done === 0 && failed === failedBefore)) return;
  }
}
