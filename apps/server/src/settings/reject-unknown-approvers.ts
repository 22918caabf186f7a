import type { AgentSettings } from '@parley/protocol/settings/agent';
import { isApprover } from '../approval/approver.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { invalid } from './settings-error.ts';

type Mails = AgentSettings['approvalMail'];

/**
 * A mailbox of nobody who may approve would never be written to. What stood there before is left, and keeps no other change
 * from being saved.
 */
export async function rejectUnknownApprovers(
  members: Pick<SettingsStore['members'], 'get'>,
  tenantId: string,
  mails: Mails = [],
  before: Mails = [],
): Promise<void> {
  const known = new Set(before.map(({ memberId }) => memberId));
  for (const [at, { memberId }] of mails.entries()) {
    if (memberId === undefined || known.has(memberId)) continue;
    if (!isApprover(await members.get(memberId), tenantId))
      throw invalid(['approvalMail', at, 'memberId'], 'There is no such member, or they may only look.');
  }
}
