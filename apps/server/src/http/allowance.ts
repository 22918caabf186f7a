import type { Allowance, Incoming } from '../session/sessions.ts';
import { tokenReservation } from '../session/token-reservation.ts';
import type { Quota, SessionRecord } from '../store/store.ts';
import type { Caller } from './caller.ts';

const minute = { windowMs: 60_000, amount: 1 };
const day = { windowMs: 86_400_000, amount: 1 };

/** The quotas and the token reservation of a session's first message. */
export function openingAllowance(caller: Caller, incoming: Incoming): Allowance {
  const { key, agent, address } = caller;
  const { limits } = agent.settings;
  const quotas: Quota[] = [
    { ...minute, scope: `sessions:key:${key.id}`, limit: limits.sessionsPerMinute },
    { ...day, scope: `sessions:key:${key.id}`, limit: limits.sessionsPerKeyPerDay },
  ];
  if (address !== null) {
    const scope = `sessions:address:${address}`;
    quotas.push(
      { ...minute, scope, limit: limits.sessionsPerAddressPerMinute },
      { ...day, scope, limit: limits.sessionsPerAddressPerDay },
    );
  }
  return {
    quotas: [...quotas, ...turnQuotas(caller)],
    reservation: tokenReservation(agent, incoming, null),
  };
}

/** The quotas and the token reservation of a turn in an open session; `incoming` is null for a control. */
export function turnAllowance(
  caller: Caller,
  {
    session,
    sessionDigest,
    incoming,
  }: { session: SessionRecord; sessionDigest: string; incoming: Incoming | null },
): Allowance {
  const { limits } = caller.agent.settings;
  const scope = `turns:session:${sessionDigest}`;
  const bySession: Quota[] =
    caller.address === null
      ? []
      : [
          { ...minute, scope, limit: limits.turnsPerSessionPerMinute },
          { ...day, scope, limit: limits.turnsPerSessionPerDay },
        ];
  return {
    quotas: [...bySession, ...turnQuotas(caller)],
    reservation: tokenReservation(caller.agent, incoming, session),
  };
}

/** The same of a Chat turn, beside the 60 a minute of its key; the conversation is null when it begins. */
export function chatAllowance(
  caller: Caller,
  { conversation, incoming }: { conversation: SessionRecord | null; incoming: Incoming },
): Allowance {
  return {
    quotas: turnQuotas(caller),
    reservation: tokenReservation(caller.agent, incoming, conversation),
  };
}

function turnQuotas({ key, agent, address }: Caller): Quota[] {
  const { limits } = agent.settings;
  const byKey = { ...day, scope: `turns:key:${key.id}`, limit: limits.turnsPerKeyPerDay };
  if (address === null) return [byKey];
  const scope = `turns:address:${address}`;
  return [
    { ...minute, scope, limit: limits.turnsPerAddressPerMinute },
    { ...day, scope, limit: limits.turnsPerAddressPerDay },
    byKey,
  ];
}
