import type { TeamSettings } from '@parley/protocol/settings/team';
import { isTeamThere } from '../../settings/team/is-team-there.ts';
import { storedTeam } from '../../settings/team/stored-team.ts';
import type { TurnContext } from '../context.ts';

/** What the team has set where its hours say that nobody of it is there now; null where somebody may be. */
export async function awayTeam({ store, session }: TurnContext): Promise<TeamSettings | null> {
  const team = storedTeam((await store.settings.tenants.get(session.tenantId))?.team);
  return team?.hours && !isTeamThere(team.hours, new Date()) ? team : null;
}
