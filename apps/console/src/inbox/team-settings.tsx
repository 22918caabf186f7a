import type { TeamSettings } from '@parley/protocol/settings/team';
import { changeTenant } from '../api/change-tenant.ts';
import { tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { changedIn } from '../ui/changed-in.ts';
import { Page } from '../ui/page.tsx';
import { SavedReplies } from './saved-replies.tsx';
import { WorkingHours } from './working-hours.tsx';

const nothing: TeamSettings = { replies: [], hours: null, awayMessage: null };

/** What the team has in common: replies that are kept ready, and when somebody is there. */
export function TeamSettingsScreen() {
  const of = tenant.value;
  if (!of) return <p class="notice">There are no agents yet.</p>;
  const team = of.team ?? nothing;
  const save = async (change: (now: TeamSettings) => Partial<TeamSettings>) => {
    await changeTenant(of.id, ({ team: now = nothing }) => ({ team: { ...now, ...change(now) } }));
  };
  return (
    <Page title="Inbox settings" trail={[{ name: 'Inbox', href: linkTo('inbox') }]}>
      <div class="stack" key={of.id}>
        <SavedReplies
          replies={team.replies}
          save={(change) => save(({ replies }) => ({ replies: change(replies) }))}
        />
        <WorkingHours team={team} save={(change) => save(() => changedIn(team, change))} />
      </div>
    </Page>
  );
}
