import type { SessionRecord } from '../../store/session-store.ts';
import { isJsonObject } from '../../model/message.ts';
import { type SessionState, sessionStateSchema } from './schema.ts';
import { UnreadableStateError } from './unreadable-state-error.ts';
import { upgradeUnversioned, upgradeVersionOne } from './upgrade.ts';

/** A turn asks for the state of the record that it was started with several times. */
const known = new WeakMap<object, SessionState>();

/** The state of a session, whatever version stored it. Throws `UnreadableStateError`. */
export function readState(session: Pick<SessionRecord, 'state'>): SessionState {
  const earlier = known.get(session);
  if (earlier) return earlier;
  const state = parsed(session.state);
  known.set(session, state);
  return state;
}

function parsed(stored: unknown): SessionState {
  try {
    if (!isJsonObject(stored) || !('version' in stored)) return upgradeUnversioned(stored);
    return stored['version'] === 1 ? upgradeVersionOne(stored) : sessionStateSchema.parse(stored);
  } catch (error) {
    throw new UnreadableStateError(error);
  }
}
