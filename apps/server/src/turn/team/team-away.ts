import type { EventDataByType } from '@parley/protocol/event';
import { newEvent } from '../../events/new-event.ts';
import { isDraftId } from '../../settings/draft-id.ts';
import type { NewEvent } from '../../store/event-store.ts';
import { type TurnContext, turnAt } from '../context.ts';
import { awayTeam } from './away-team.ts';

type Absence = Pick<EventDataByType['team.away'], 'reason' | 'message'>;

/**
 * What a visitor who waits for the team is told where nobody of it is there. Null where somebody is, whatever the hours
 * say, and where nobody can know: a team may answer without ever having the inbox open.
 */
export async function teamAbsence(context: TurnContext): Promise<Absence | null> {
  const { store, session } = context;
  if (isDraftId(session.agentId)) return null;
  const presence = await store.teamPresence(session.tenantId);
  if (presence === 'present') return null;
  const closed = await awayTeam(context);
  if (closed) return { reason: 'hours', message: closed.awayMessage };
  return presence === 'away' ? { reason: 'nobody', message: null } : null;
}

export const teamAway = (sequence: number, absence: Absence | null): readonly NewEvent[] =>
  absence === null ? [] : [newEvent('team.away', { ...turnAt(sequence), ...absence })];
