import type { AgentSettings } from '@parley/protocol/settings/agent';
import { authorize } from '../auth/authorize.ts';
import type { SettingsPrincipal } from '../auth/principal.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { invalid } from './settings-error.ts';

type Mails = AgentSettings['approvalMail'];

/**
 * Whoever reads a member's mailbox approves as that member: it is named by them or by an owner, also where it comes with
 * a draft or an earlier revision. What is live already, whoever named it, keeps no other change from being saved.
 */
export async function rejectBorrowedMailboxes(
  members: Pick<SettingsStore['members'], 'get'>,
  principal: SettingsPrincipal,
  mails: Mails = [],
  before: Mails = [],
): Promise<void> {
  for (const [at, { address, memberId }] of mails.entries()) {
    if (before.some((mail) => mail.memberId === memberId && mail.address === address)) continue;
    if (await isBorrowed(members, principal, memberId))
      throw invalid(
        ['approvalMail', at, 'memberId'],
        'What is answered from this mailbox counts as this member’s: they name it themselves, or an owner does. Ask one of them, or name the address as nobody’s in particular.',
      );
  }
}

/** The same of whoever says where mail to such a mailbox goes. */
export async function rejectDivertedMailboxes(
  members: Pick<SettingsStore['members'], 'get'>,
  principal: SettingsPrincipal,
  mails: Mails = [],
  path: string[] = [],
): Promise<void> {
  for (const { memberId } of mails)
    if (await isBorrowed(members, principal, memberId))
      throw invalid(
        path,
        'Approvals of this agent are mailed to other members by this connection, and whoever has such a mail answers as they do: only an owner changes how it is sent. Ask one of them.',
      );
}

async function isBorrowed(
  members: Pick<SettingsStore['members'], 'get'>,
  principal: SettingsPrincipal,
  memberId: string | undefined,
): Promise<boolean> {
  if (principal.kind === 'admin' || memberId === undefined || memberId === principal.id) return false;
  const member = await members.get(memberId);
  // Nobody answers as somebody who is gone.
  return member !== null && (principal.role !== 'owner' || !authorize(principal, member.tenantId));
}
