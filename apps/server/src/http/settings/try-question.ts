import type { QuestionTrialView } from '@parley/protocol/settings/question-trial';
import type { Source } from '@parley/protocol/event';
import type { EventBus } from '../../events/event-bus.ts';
import { subscribeToTurn } from '../../events/subscribe-to-turn.ts';
import { tokenReservation } from '../../limit/token-reservation.ts';
import { emptyInput } from '../../session/message-input.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { Agent } from '../../settings/agent.ts';
import { draftId, trialId } from '../../settings/draft-id.ts';
import { readable } from '../../settings/readable.ts';
import type { Resource } from '../../settings/resource.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { notFound } from '../../settings/settings-error.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import { quotaExceeded } from '../rejection-problem.ts';
import type { Trials } from './trials.ts';

/** Somebody looks at the screen meanwhile. */
const longestMs = 120_000;

interface TryQuestionDeps {
  readonly agents: Pick<Resource<AgentRecord, never, never, object>, 'find'>;
  readonly cache: Pick<SettingsCache, 'agent'>;
  readonly store: Store;
  readonly live: EventBus;
  readonly sessions: Sessions;
  readonly trials: Trials;
}

type Said = Pick<QuestionTrialView, 'status' | 'text' | 'sources'>;

/** Has a draft, or what is live, answer one question in a session of its own, which is gone with the answer. */
export function tryQuestionHandlers(deps: TryQuestionDeps): Handlers<'tryQuestion'> {
  const { agents, cache, store, sessions, trials } = deps;
  return {
    async tryQuestion({ response, principal, id, body: { question, of } }) {
      const { tenantId, name } = await agents.find(principal, id);
      const agent = await readable(() => cache.agent(trialId(of === 'draft' ? draftId(id) : id)));
      if (agent === null) throw notFound();
      await trials.count(principal);
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const startedAt = performance.now();
      const { sessionId, itemId } = await ask(deps, agent, question);
      try {
        const said = await answerOf(deps, { sessionId, itemId }, gone.signal);
        if (said === null) return;
        const durationMs = Math.round(performance.now() - startedAt);
        const [turn] = (await store.listTurnsOf(sessionId, { after: null, limit: 1 })).items;
        const tokens = (turn?.inputTokens ?? 0) + (turn?.outputTokens ?? 0);
        await trials.record(principal, {
          tenantId,
          kind: 'agent',
          subject: { id, name },
          found: { asked: of, outcome: said.status },
        });
        response.json({ ...said, durationMs, modelId: turn?.modelId ?? null, tokens });
      } finally {
        await sessions.remove(sessionId);
      }
    },
  };
}

async function ask({ sessions }: TryQuestionDeps, agent: Agent, text: string) {
  const owner = { tenantId: agent.tenantId, agentId: agent.id };
  const message = { parts: [{ type: 'text' as const, text }], text };
  const input = { ...emptyInput, message, timeLimitMs: longestMs };
  const sent = await sessions.open(
    owner,
    { canRequestInput: false, mode: 'conversation', visitor: null },
    {
      input,
      quotas: [],
      rateLimits: [],
      reservation: tokenReservation(agent, input, null),
      files: {
        ...owner,
        visitor: null,
        quotas: { uploads: [], bytes: [] },
        maxSessionBytes: 1,
        again: false,
      },
      repeatable: null,
    },
  );
  if (sent.outcome === 'limited') throw quotaExceeded(sent, { kind: 'secret' });
  if (sent.outcome !== 'accepted') throw new ProblemError('UNAVAILABLE', 'The question could not be asked.');
  return sent;
}

/** Null: nobody waits for it any more. */
function answerOf(
  { store, live }: Pick<TryQuestionDeps, 'store' | 'live'>,
  turn: { readonly sessionId: string; readonly itemId: string },
  signal: AbortSignal,
): Promise<Said | null> {
  const texts: string[] = [];
  const sources: Source[] = [];
  let isWaiting = false;
  return new Promise((resolve, reject) => {
    const reader = subscribeToTurn(
      { store, live },
      { ...turn, from: 0 },
      {
        take({ event }) {
          if (event.type === 'message.completed') {
            if (event.data.message !== null) texts.push(event.data.message);
            sources.push(...(event.data.sources ?? []));
          }
          isWaiting ||= event.type === 'input.requested' || event.type === 'action.delegated';
          return true;
        },
        end(last) {
          const isDone = last?.type === 'turn.completed';
          const status = isDone ? (isWaiting ? 'waiting' : 'completed') : 'failed';
          const why = last?.type === 'turn.failed' ? [last.data.message] : [];
          resolve({ status, text: [...texts, ...why].join('\n\n'), sources });
        },
      },
      reject,
    );
    const leave = () => {
      reader.stop();
      resolve(null);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
