import type { Allowance } from '../session/enqueue-message.ts';
import type { MessageInput } from '../session/message-input.ts';
import { tokenReservation } from './token-reservation.ts';
import type { Quota } from '../store/limit-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { KeyPrincipal } from '../auth/principal.ts';

const minute = { windowMs: 60_000, amount: 1 };
const day = { windowMs: 86_400_000, amount: 1 };

/** The quotas and the token reservation of a session's first message. */
export function openingAllowance(principal: KeyPrincipal, input: MessageInput): Allowance {
  const { key, agent, address } = principal;
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
    quotas: [...quotas, ...turnQuotas(principal)],
    reservation: tokenReservation(agent, input, null),
  };
}

/** The quotas and the token reservation of a turn in an open session; `input` is null for a control. */
export function turnAllowance(
  principal: KeyPrincipal,
  {
    session,
    sessionDigest,
    input,
  }: { session: SessionRecord; sessionDigest: string; input: MessageInput | null },
): Allowance {
  const { limits } = principal.agent.settings;
  const scope = `turns:session:${sessionDigest}`;
  const bySession: Quota[] =
    principal.address === null
      ? []
      : [
          { ...minute, scope, limit: limits.turnsPerSessionPerMinute },
          { ...day, scope, limit: limits.turnsPerSessionPerDay },
        ];
  return {
    quotas: [...bySession, ...turnQuotas(principal)],
    reservation: tokenReservation(principal.agent, input, session),
  };
}

/** The same of a Chat turn, beside the 60 a minute of its key; the conversation is null when it begins. */
export function chatAllowance(
  principal: KeyPrincipal,
  { conversation, input }: { conversation: SessionRecord | null; input: MessageInput },
): Allowance {
  return {
    quotas: turnQuotas(principal),
    reservation: tokenReservation(principal.agent, input, conversation),
  };
}

function turnQuotas({ key, agent, address }: KeyPrincipal): Quota[] {
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
