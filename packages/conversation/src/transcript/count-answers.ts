import type { Transcript } from './transcript.ts';
import type { Turn, TurnPart } from './turn.ts';

/** How many turns have ended with something to read; one that has stopped to wait for somebody has not. */
export const countAnswers = ({ turns }: Pick<Transcript, 'turns'>): number =>
  turns.filter(
    (turn, index) => turn.status !== 'running' && !isParked(turn, turns[index + 1]) && !holds(turns, index),
  ).length;

/** What a turn asks for is its last part; what comes of that is in a turn of its own. */
function isParked({ status, parts }: Turn, next: Turn | undefined): boolean {
  const last = parts.at(-1);
  if (status !== 'completed' || !last) return false;
  if (last.kind !== 'tool') return last.kind === 'question';
  return last.approval !== undefined || last.state === 'delegated' || (next !== undefined && !next.user);
}

/**
 * A turn without parts holds what has come in: a message for the team, one of several results or approvals, or what came
 * too late. The last of what a turn was parked for is its answer, also where the agent has no words for it.
 */
function holds(turns: readonly Turn[], index: number): boolean {
  const { status, parts, user, away } = turns[index]!;
  if (status !== 'completed' || parts.length > 0 || away) return false;
  const before = turns.slice(0, index).findLastIndex((each) => each.parts.length > 0);
  const next = turns[index + 1];
  if (user || before < 0 || (next && !next.user)) return true;
  return !isParked(turns[before]!, turns[before + 1]) || turns[before]!.parts.some(isOpen);
}

const isOpen = (part: TurnPart): boolean =>
  part.kind === 'tool' && (part.state === 'delegated' || part.state === 'awaiting-approval');
