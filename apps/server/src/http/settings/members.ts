import type { MemberPatch, MemberView } from '@parley/protocol/settings/member';
import { endOtherSessions } from '../../auth/console-sessions.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import { allRecords } from '../../settings/all-records.ts';
import type { Resource } from '../../settings/resource.ts';
import { SettingsError } from '../../settings/settings-error.ts';
import type { MemberRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';

/** Who is a member, as an owner decides. */
export function memberHandlers(
  members: Resource<MemberRecord, never, MemberPatch, MemberView>,
  settings: Pick<SettingsStore, 'members' | 'consoleSessions' | 'passkeys'>,
  /** Lets the agent answer again where they answered; what is missed is done within the hour. */
  handBack: () => void,
): Handlers<'listMembers' | 'readMember' | 'updateMember' | 'deleteMember' | 'resetSecondFactor'> {
  const stored = settings.members;

  /** Throws where whoever has just changed a role is no owner any more: of two who do so to each other, one stays. */
  async function rejectFormerOwner(
    principal: SettingsPrincipal,
    undo: () => Promise<unknown>,
  ): Promise<void> {
    if (principal.kind !== 'member' || (await stored.get(principal.id))?.role === 'owner') return;
    await undo();
    throw new ProblemError('FORBIDDEN', 'Your role does not include this any more.');
  }

  return {
    async listMembers({ response, principal, query }) {
      response.json(await members.list(principal, query));
    },
    async readMember({ response, principal, id }) {
      response.json(await members.read(principal, id));
    },
    async updateMember({ response, principal, id, body }) {
      rejectSelf(principal, id);
      const { role } = await members.find(principal, id);
      const after = await members.update(principal, id, body);
      await rejectFormerOwner(principal, () => members.update(principal, id, { role }));
      if (after.role === 'viewer') handBack();
      response.json(after);
    },
    async deleteMember({ response, principal, id }) {
      rejectSelf(principal, id);
      const { role } = await members.find(principal, id);
      // Nobody who is gone could be brought back.
      await stored.update(id, { role: 'viewer' });
      await rejectFormerOwner(principal, () => stored.update(id, { role }));
      await members.delete(principal, id);
      handBack();
      response.status(204).end();
    },
    async resetSecondFactor({ response, principal, id }) {
      rejectSelf(principal, id);
      await members.find(principal, id);
      // Whoever resets it because it was stolen wants all of it gone.
      for await (const { id: passkeyId } of allRecords(settings.passkeys, { memberId: id }))
        await settings.passkeys.remove(passkeyId);
      await members.change(principal, id, async ({ secondFactor }) =>
        secondFactor === null ? {} : { secondFactor: null },
      );
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
