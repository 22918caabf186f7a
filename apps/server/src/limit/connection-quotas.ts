import type { MailSettings } from '@parley/protocol/settings/mail-connection';
import type { Secrets } from '../crypto/secrets.ts';
import type { Quota } from '../store/limit-store.ts';

/** What one call of a connection's tools counts against, in all processes. */
export const connectionQuotas = (connectionId: string, perMinute: number): Quota[] => [
  { scope: `calls:connection:${connectionId}`, limit: perMinute, windowMs: 60_000, amount: 1 },
];

/**
 * What a mail that asks for an approval counts against: half of what the connection sends is left to the agent itself, and
 * no conversation has more than a quarter. The counter outlives a conversation that is deleted, and does not name it.
 */
export function approvalMailQuotas(
  { id, callsPerMinute }: Pick<MailSettings, 'callsPerMinute'> & { readonly id: string },
  { secrets, sessionId }: { secrets: Pick<Secrets, 'mac'>; sessionId: string },
): Quota[] {
  return [
    ...connectionQuotas(id, callsPerMinute),
    share(`approval-mails:connection:${id}`, callsPerMinute / 2),
    share(`approval-mails:session:${secrets.mac('limit', sessionId).slice(0, 22)}`, callsPerMinute / 4),
  ];
}

/** What a mail to a visitor who waits counts against: however many do, three quarters are left to the agent and to approvals. */
export const readyMailShare = ({
  id,
  callsPerMinute,
}: Pick<MailSettings, 'callsPerMinute'> & { readonly id: string }): Quota[] => [
  ...connectionQuotas(id, callsPerMinute),
  share(`ready-mails:connection:${id}`, callsPerMinute / 4),
];

const share = (scope: string, limit: number): Quota => ({
  scope,
  limit: Math.ceil(limit),
  windowMs: 60_000,
  amount: 1,
});
