import type { Transcript } from './transcript.ts';
import type { Turn } from './turn.ts';

/** How many turns have ended with something to read; one that has stopped to wait for somebody has not. */
export const countAnswers = ({ turns }: Pick<Transcript, 'turns'>): number =>
  turns.filter((turn, index) => turn.status !== 'running' && !isParked(turn, turns[index + 1])).length;

/** What a turn asks for is its last part; what comes of that is in a turn of its own. */
function isParked({ status, parts, away }: Turn, next: Turn | undefined): boolean {
  const last = parts.at(-1);
  if (status !== 'completed') return false;
  // The turn holds what has come in: a message for the team, or one of two results or approvals.
  if (!last) return !away;
  if (last.kind !== 'tool') return last.kind === 'question';
  return last.approval !== undefined || last.state === 'delegated' || (next !== undefined && !next.user);
}
