import { nextExpiry } from '../session/asks.ts';
import type { SessionState } from '../session/state.ts';
import type { SessionRecord } from '../store/store.ts';

/**
 * When a session goes on by itself, or null. A Chat conversation never does, since nobody would read its turn, nor does
 * one that asks again after it has gone on by itself: a model could go on asking for ever. There an approval that
 * expired is found out by what comes next.
 */
export function wakeAt(session: Pick<SessionRecord, 'interface'>, { parked }: SessionState): number | null {
  if (session.interface === 'chat' || parked?.unattended) return null;
  return nextExpiry(parked?.requests ?? []);
}
