import type { SettingsPrincipal } from '../auth/principal.ts';
import { settingsCaller } from '../auth/settings-caller.ts';
import type { Quota } from '../store/limit-store.ts';

/** Of one member: more than anybody who looks at what came of each. */
const perMember = 60;

/** What a call that somebody tries out in the settings counts against. */
export function trialQuotas(principal: SettingsPrincipal): Quota[] {
  return [
    { scope: `trials:member:${settingsCaller(principal)}`, limit: perMember, windowMs: 60_000, amount: 1 },
  ];
}
