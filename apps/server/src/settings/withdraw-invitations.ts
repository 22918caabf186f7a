import type { SettingsPrincipal } from '../auth/principal.ts';
import type { InvitationRecord, MemberRecord, SettingsStore } from '../store/settings-store.ts';
import { allRecords } from './all-records.ts';
import { changeRecord } from './audit.ts';
import { invitationView } from './invitation.ts';

const entriesAtOnce = 100;

/**
 * Takes back the invitations that a member has made who may make none any more: whoever is removed may have kept a link. Who
 * made an invitation is in the log of changes, which is written together with it.
 */
export async function withdrawInvitations(
  { invitations, audit }: Pick<SettingsStore, 'invitations' | 'audit'>,
  principal: SettingsPrincipal,
  { id: memberId, tenantId }: Pick<MemberRecord, 'id' | 'tenantId'>,
): Promise<void> {
  const open = new Map<string, InvitationRecord>();
  for await (const invitation of allRecords(invitations, tenantId === null ? {} : { tenantId }))
    if (!invitation.isSetup && Date.parse(invitation.expiresAt) > Date.now())
      open.set(invitation.id, invitation);
  for (let after: string | null = null; open.size > 0;) {
    const page = await audit.list({ tenantId: tenantId ?? undefined, after, limit: entriesAtOnce });
    for (const { action, kind, actor, subject } of page.items) {
      const invitation = open.get(subject.id);
      if (invitation === undefined || kind !== 'invitation' || action !== 'created') continue;
      open.delete(subject.id);
      if (actor?.id !== memberId) continue;
      await invitations.remove(
        invitation.id,
        changeRecord(principal, {
          tenantId: invitation.tenantId,
          action: 'deleted',
          kind,
          subject,
          before: invitationView(invitation),
          after: null,
        }),
      );
    }
    if (page.next === null) return;
    after = page.next;
  }
}
