import type { TurnPart } from '@parley/conversation/transcript/turn';
import { isOpenSignIn } from '@parley/conversation/transcript/open-requests';

/** Whether a part that is no text shows by itself that work goes on. */
export function showsWork(part: TurnPart): boolean {
  if (part.kind === 'tool') return !['completed', 'failed', 'rejected'].includes(part.state);
  return isOpenSignIn(part);
}
