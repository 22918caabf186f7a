import type { SessionRecord } from '../store/session-store.ts';
import { logDigest } from '../crypto/log-digest.ts';
import { attribute, operation, providerName } from '../trace/semantic-conventions.ts';
import type { Span, Tracer } from '../trace/span.ts';
import type { AgentRuntime } from './agent-runtime.ts';
import type { TurnContext } from './context.ts';
import { originOf } from './turn-logger.ts';
import type { TurnSource } from './turn-source.ts';

export type TurnStatus = 'completed' | 'waiting' | 'cancelled' | 'failed' | 'left';

/** The span of a turn, under that of the request it began with. */
export function startTurnSpan(
  tracer: Tracer | null,
  { agent, model }: Pick<AgentRuntime, 'agent' | 'model'>,
  session: Pick<SessionRecord, 'id' | 'tenantId'>,
  source: TurnSource,
): Span | null {
  const origin = originOf(source);
  return (
    tracer?.start(
      `${operation.agent} ${agent.name}`,
      'internal',
      {
        [attribute.operation]: operation.agent,
        [attribute.provider]: providerName(agent.settings.model.provider),
        [attribute.requestModel]: model.id,
        [attribute.agentId]: agent.id,
        [attribute.agentName]: agent.name,
        [attribute.tenant]: session.tenantId,
        // The id itself is the right to read the conversation.
        [attribute.conversation]: logDigest(session.id),
        ...(origin && { [attribute.requestId]: origin.requestId }),
      },
      { traceparent: origin?.traceparent },
    ) ?? null
  );
}

/** Says how the turn ended and what it took: a line of the log, and the end of its span. */
export function reportTurn(
  { logger, span, tokens, model, firstDeltaAt }: TurnContext,
  times: { readonly acceptedAt: number; readonly beganAt: number },
  { sequence, status, errorType }: { sequence: number | null; status: TurnStatus; errorType?: string },
): void {
  // It was a control, or what came in is held until the rest has: no turn ran.
  if (sequence === null) return span?.end(errorType);
  const { inputTokens, outputTokens } = tokens.usage;
  const { acceptedAt, beganAt } = times;
  logger.info(
    {
      status,
      ...(errorType !== undefined && { code: errorType }),
      waitMs: Math.max(0, beganAt - acceptedAt),
      ...(firstDeltaAt !== null && { firstWordsMs: Math.max(0, firstDeltaAt - acceptedAt) }),
      durationMs: Math.max(0, Date.now() - acceptedAt),
      model: model.id,
      inputTokens,
      outputTokens,
    },
    'a turn ended',
  );
  span?.set({
    [attribute.turn]: sequence,
    [attribute.turnStatus]: status,
    [attribute.inputTokens]: inputTokens,
    [attribute.outputTokens]: outputTokens,
  });
  span?.end(errorType);
}
