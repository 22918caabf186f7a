import type { MemberPatch, MemberView } from '@parley/protocol/settings/member';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Resource } from '../../settings/resource.ts';
import { SettingsError } from '../../settings/settings-error.ts';
import type { MemberRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** Who is a member, as an owner decides. */
export function memberHandlers(
  members: Resource<MemberRecord, never, MemberPatch, MemberView>,
): Handlers<'listMembers' | 'readMember' | 'updateMember' | 'deleteMember'> {
  return {
    async listMembers({ response, principal, query }) {
      response.json(await members.list(principal, query));
    },
    async readMember({ response, principal, id }) {
      response.json(await members.read(principal, id));
    },
    async updateMember({ response, principal, id, body }) {
      rejectSelf(principal, id);
      response.json(await members.update(principal, id, body));
    },
    async deleteMember({ response, principal, id }) {
      rejectSelf(principal, id);
      await members.delete(principal, id);
      response.status(204).end();
    },
  };
}

/** So that an owner is left. */
function rejectSelf(principal: SettingsPrincipal, id: string): void {
  if (principal.kind !== 'member' || principal.id !== id) return;
  throw new SettingsError('invalid', 'An owner stays one.', [
    { path: ['role'], message: 'Nobody changes or removes themselves: another owner does.' },
  ]);
}
