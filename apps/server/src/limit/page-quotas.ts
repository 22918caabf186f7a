import type { SettingsPrincipal } from '../auth/principal.ts';
import type { Quota } from '../store/limit-store.ts';

/** Nobody sets up a website by hand more often than this, and no other website is bothered by so little. */
const perMember = { limit: 40, windowMs: 10 * 60_000, amount: 1 };

/** What it counts against that the service opens an address for somebody. */
export const pageQuotas = (principal: SettingsPrincipal): Quota[] => [
  { ...perMember, scope: `pages:member:${principal.kind === 'member' ? principal.id : 'admin'}` },
];
