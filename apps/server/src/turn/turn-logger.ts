import type { Logger } from '../logger.ts';
import type { QueueItemBody, RequestOrigin } from '../session/queue-item.ts';
import { openTurn } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { TurnSource } from './turn-source.ts';

/** The request that a turn began with; a turn that goes on after its process died knows of none. */
export function originOf(source: TurnSource): RequestOrigin | null {
  if (typeof source === 'string') return null;
  const body = source.body as QueueItemBody;
  return body.kind === 'delivery' ? (body.origin ?? null) : null;
}

/** A logger whose every line says whose turn it is about. The session's id becomes a digest where it is written. */
export function turnLogger(
  logger: Logger,
  { id, tenantId, agentId }: Pick<SessionRecord, 'id' | 'tenantId' | 'agentId'>,
  source: TurnSource,
  state: SessionState | null,
): Logger {
  const requestId = originOf(source)?.requestId;
  const turn = state && (openTurn(state)?.sequence ?? state.nextTurn);
  return logger.child({
    ...(requestId !== undefined && { requestId }),
    tenant: tenantId,
    agent: agentId,
    sessionId: id,
    ...(turn !== null && { turn }),
  });
}
