import type { TurnPart } from '@parley/conversation';

/** Whether a part that is no text shows by itself that work goes on. */
export function showsWork(part: TurnPart): boolean {
  if (part.kind === 'tool') return !['completed', 'failed', 'rejected'].includes(part.state);
  if (part.kind === 'team-question') return part.state === 'open';
  return part.kind === 'sign-in' && !part.outcome;
}
