import type { MemberPatch, MemberView } from '@parley/protocol/settings/member';
import { endOtherSessions } from '../../auth/console-sessions.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import { allRecords } from '../../settings/all-records.ts';
import { changeRecord } from '../../settings/audit.ts';
import { memberView } from '../../settings/member.ts';
import { passkeyView } from '../../settings/passkey.ts';
import type { Resource } from '../../settings/resource.ts';
import { notFound, SettingsError } from '../../settings/settings-error.ts';
import { withdrawInvitations } from '../../settings/withdraw-invitations.ts';
import type { MemberRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { rejectFormerOwner } from './reject-former-owner.ts';

/** Who is a member, as an owner decides. */
export function memberHandlers(
  members: Resource<MemberRecord, never, MemberPatch, MemberView>,
  settings: Pick<SettingsStore, 'members' | 'consoleSessions' | 'passkeys' | 'invitations' | 'audit'>,
  /** Lets the agent answer again where they answered; what is missed is done within the hour. */
  handBack: () => void,
): Handlers<'listMembers' | 'readMember' | 'updateMember' | 'deleteMember' | 'resetSecondFactor'> {
  const stored = settings.members;

  return {
    async listMembers({ response, principal, query }) {
      response.json(await members.list(principal, query));
    },
    async readMember({ response, principal, id }) {
      response.json(await members.read(principal, id));
    },
    async updateMember({ response, principal, id, body }) {
      rejectSelf(principal, id);
      const { role } = body;
      const fields = async () => (role === undefined ? {} : { role });
      const after =
        principal.kind !== 'member'
          ? await members.change(principal, id, fields)
          : await members.change(
              principal,
              id,
              fields,
              async (_principal, before, { role: next }, change) => {
                const written = await stored.changeRoleAsOwner(principal.id, id, next ?? before.role, change);
                if (written === null) await rejectFormerOwner(stored, principal);
                return written;
              },
            );
      if (after.role !== 'owner') await withdrawInvitations(settings, principal, after);
      if (after.role === 'viewer') handBack();
      response.json(memberView(after));
    },
    async deleteMember({ response, principal, id }) {
      rejectSelf(principal, id);
      const member = await members.find(principal, id);
      if (principal.kind !== 'member') await members.delete(principal, id);
      else
        await members.delete(principal, id, async (_record, change) => {
          if (await stored.removeAsOwner(principal.id, id, change)) return;
          await rejectFormerOwner(stored, principal);
          throw notFound();
        });
      await withdrawInvitations(settings, principal, member);
      handBack();
      response.status(204).end();
    },
    async resetSecondFactor({ response, principal, id }) {
      rejectSelf(principal, id);
      const { tenantId } = await members.find(principal, id);
      // Whoever resets it because it was stolen wants all of it gone, and nothing added while it goes.
      await endOtherSessions(settings, { id, sessionId: null });
      for await (const passkey of allRecords(settings.passkeys, { memberId: id }))
        await settings.passkeys.remove(
          passkey.id,
          changeRecord(principal, {
            tenantId,
            action: 'deleted',
            kind: 'passkey',
            subject: { id: passkey.id, name: passkey.name },
            before: passkeyView(passkey),
            after: null,
          }),
        );
      // Written down also where there was none: the sessions end in any case.
      await members.change(principal, id, async () => ({ secondFactor: null }));
      // Those that began with it meanwhile.
      await endOtherSessions(settings, { id, sessionId: null });
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
