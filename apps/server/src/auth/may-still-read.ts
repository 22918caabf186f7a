import type { SettingsStore } from '../store/settings-store.ts';
import { isOver } from './console-sessions.ts';
import type { SettingsPrincipal } from './principal.ts';

/** Whether somebody who has a stream open is still who they were when they asked, and signed in. */
export async function mayStillRead(
  { members, consoleSessions }: Pick<SettingsStore, 'members' | 'consoleSessions'>,
  principal: SettingsPrincipal,
): Promise<boolean> {
  if (principal.kind === 'admin') return true;
  const [member, session] = await Promise.all([
    members.get(principal.id),
    consoleSessions.get(principal.sessionId),
  ]);
  if (session === null || isOver(session, Date.now())) return false;
  return member !== null && member.tenantId === principal.tenantId;
}
