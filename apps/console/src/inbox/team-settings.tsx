import type { TeamSettings } from '@parley/protocol/settings/team';
import { call } from '../api/call.ts';
import { loadTenants, tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Page } from '../ui/page.tsx';
import { SavedReplies } from './saved-replies.tsx';
import { WorkingHours } from './working-hours.tsx';

const nothing: TeamSettings = { replies: [], hours: null, awayMessage: null };

/** What the team has in common: replies that are kept ready, and when somebody is there. */
export function TeamSettingsScreen() {
  const of = tenant.value;
  if (!of) return <p class="notice">There are no agents yet.</p>;
  const team = of.team ?? nothing;
  const save = async (change: Partial<TeamSettings>) => {
    await call('PATCH', `/tenants/${of.id}`, { team: { ...team, ...change } });
    await loadTenants();
  };
  return (
    <Page title="Inbox settings" trail={[{ name: 'Inbox', href: linkTo('inbox') }]}>
      <div class="stack" key={of.id}>
        <SavedReplies replies={team.replies} save={(replies) => save({ replies })} />
        <WorkingHours team={team} save={save} />
      </div>
    </Page>
  );
}
