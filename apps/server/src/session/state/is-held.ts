import type { SessionRecord } from '../../store/session-store.ts';
import { readState } from './read-state.ts';

/** Whether a person answers there, whatever the agent may do. */
export const isHeld = (session: SessionRecord | null): boolean =>
  session?.status === 'open' && readState(session).hold !== null;
