import { newEvent } from '../../events/new-event.ts';
import { isDraftId } from '../../settings/draft-id.ts';
import type { NewEvent } from '../../store/event-store.ts';
import { type TurnContext, turnAt } from '../context.ts';
import { awayTeam } from './away-team.ts';

/**
 * What a visitor who begins to wait for the team is told where nobody of it is there. Nothing where somebody is, and where
 * nobody can know: a team may answer without ever having the inbox open.
 */
export async function teamAway(context: TurnContext, sequence: number): Promise<readonly NewEvent[]> {
  const { store, session } = context;
  if (isDraftId(session.agentId)) return [];
  const presence = await store.teamPresence(session.tenantId);
  if (presence === 'present') return [];
  const closed = await awayTeam(context);
  const away = (reason: 'hours' | 'nobody', message: string | null) => [
    newEvent('team.away', { ...turnAt(sequence), reason, message }),
  ];
  if (closed) return away('hours', closed.awayMessage);
  return presence === 'away' ? away('nobody', null) : [];
}
