import type { SettingsPrincipal } from '../../auth/principal.ts';
import { automation } from '../../session/automation.ts';
import type { TeamMember } from '../../session/queue-item.ts';

/** How a conversation names whoever acts in it. The holder of the admin token is no person in particular. */
export const teamMember = (principal: SettingsPrincipal): TeamMember =>
  principal.kind === 'member' ? { id: principal.id, name: principal.name } : automation;

/** Whether they may undo what other members do. */
export const isAdmin = (principal: SettingsPrincipal): boolean =>
  principal.kind === 'admin' || principal.role === 'admin' || principal.role === 'owner';
