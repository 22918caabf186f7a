import { ratingsPerHour } from '@parley/protocol/bounds';
import type { KeyPrincipal } from '../auth/principal.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Quota } from '../store/limit-store.ts';

/** What a rating counts against. The counters outlive a conversation that is deleted, and do not name it. */
export function ratingQuotas(
  { address }: Pick<KeyPrincipal, 'address'>,
  { secrets, sessionId }: { secrets: Pick<Secrets, 'mac'>; sessionId: string },
): Quota[] {
  return [
    hourly(`session:${secrets.mac('limit', sessionId).slice(0, 22)}`, ratingsPerHour.session),
    ...(address === null ? [] : [hourly(`address:${address}`, ratingsPerHour.address)]),
  ];
}

const hourly = (scope: string, limit: number): Quota => ({
  scope: `ratings:${scope}`,
  limit,
  windowMs: 3_600_000,
  amount: 1,
});
