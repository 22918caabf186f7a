import type { SettingsPrincipal } from './principal.ts';

/** For whom what is done in the settings is counted: a member, or whoever has the admin token. */
export const settingsCaller = (principal: SettingsPrincipal): string =>
  principal.kind === 'member' ? principal.id : principal.kind;
