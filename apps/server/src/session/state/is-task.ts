import { isJsonObject } from '../../model/message.ts';
import type { SessionRecord } from '../../store/session-store.ts';

/** Whether the session is a task. Looks at nothing else of the state: every follow-up asks, also where it is unreadable. */
export function isTask({ state }: Pick<SessionRecord, 'state'>): boolean {
  return isJsonObject(state) && state['mode'] === 'task';
}
