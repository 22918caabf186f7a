import type { SettingsPrincipal } from '../../auth/principal.ts';
import { automation } from '../../session/automation.ts';
import type { TeamMember } from '../../session/queue-item.ts';
import type { SettingsStore } from '../../store/settings-store.ts';

/** How a conversation names whoever acts in it. The holder of the admin token is no person in particular. */
export const teamMember = (principal: SettingsPrincipal): TeamMember =>
  principal.kind === 'member' ? { id: principal.id, name: principal.name } : automation;

/** With their picture, for what visitors are shown of them. */
export async function shownMember(
  { memberPictures }: Pick<SettingsStore, 'memberPictures'>,
  principal: SettingsPrincipal,
): Promise<TeamMember> {
  const member = teamMember(principal);
  const picture = principal.kind === 'member' ? await memberPictures.ofMember(member.id) : null;
  return { ...member, ...(picture && { avatarUrl: picture.id }) };
}

/** Whether they may undo what other members do. */
export const isAdmin = (principal: SettingsPrincipal): boolean =>
  principal.kind === 'admin' || principal.role === 'admin' || principal.role === 'owner';
