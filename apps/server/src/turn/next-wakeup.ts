import { nextExpiry } from '../session/input-requests.ts';
import { type Phase, waitingStep } from '../session/state/phase.ts';
import type { SessionRecord } from '../store/session-store.ts';

/**
 * When a session goes on by itself, or null. A Chat conversation never does, since nobody would read its turn, nor does
 * one that asks again after it has gone on by itself: a model could go on asking for ever. There an approval that
 * expired is found out by what comes next.
 */
export function nextWakeup(
  session: Pick<SessionRecord, 'interface'>,
  state: { readonly phase: Phase },
): number | null {
  const waiting = waitingStep(state);
  if (session.interface === 'chat' || !waiting || waiting.unattended) return null;
  return nextExpiry(waiting.requests);
}
