import type { SettingsPrincipal } from '../auth/principal.ts';
import { settingsCaller } from '../auth/settings-caller.ts';
import type { Quota } from '../store/limit-store.ts';

/** Nobody sets up a website by hand more often than this, and no other website is bothered by so little. */
const perMember = { limit: 40, windowMs: 10 * 60_000, amount: 1 };

/** What it counts against that the service opens an address for somebody. */
export const pageQuotas = (principal: SettingsPrincipal): Quota[] => [
  { ...perMember, scope: `pages:member:${settingsCaller(principal)}` },
];

/** Whoever brings a handbook brings its chapters at once. */
const filesPerMember = { limit: 200, windowMs: 60 * 60_000, amount: 1 };

/** What a file counts against that an agent is given to know. */
export const sourceFileQuotas = (principal: SettingsPrincipal): Quota[] => [
  { ...filesPerMember, scope: `uploads:member:${settingsCaller(principal)}` },
];
