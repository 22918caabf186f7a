import { invitationPath } from '@parley/protocol/paths';
import type { SettingsStore } from '../store/settings-store.ts';
import { newInvitation } from './invitation.ts';

/**
 * The address under which whoever reads the service's output becomes its owner, once; null where the service has a
 * member. Every process makes one of its own, and none is good once somebody is there.
 */
export async function createSetupLink(
  { members, invitations }: Pick<SettingsStore, 'members' | 'invitations'>,
  publicUrl: string,
): Promise<string | null> {
  if ((await members.list({ where: {}, after: null, limit: 1 })).items.length > 0) return null;
  const { record, token } = newInvitation({ tenantId: null, role: 'owner' }, { isSetup: true });
  const earlier = await invitations.list({ where: { isSetup: true }, after: null, limit: 100 });
  for (const { id, expiresAt } of earlier.items)
    if (Date.parse(expiresAt) <= Date.now()) await invitations.remove(id);
  await invitations.insert(record);
  return publicUrl + invitationPath(token);
}
