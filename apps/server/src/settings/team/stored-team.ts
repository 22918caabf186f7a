import { type TeamSettings, teamSettingsSchema } from '@parley/protocol/settings/team';

/** What a tenant's team has in common, as it is stored; null where nothing is, or nothing that can be read. */
export function storedTeam(stored: unknown): TeamSettings | null {
  return teamSettingsSchema.safeParse(stored).data ?? null;
}
