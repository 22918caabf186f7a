import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { AuditRecord } from '../../store/audit-store.ts';
import type { RevisionStore } from '../../store/revision-store.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import { type Agent, agentOf, agentView } from '../agent.ts';
import { changeRecord } from '../audit.ts';
import { UnreadableRecordError } from '../unreadable-record-error.ts';
import { loadDraft } from './draft.ts';

export interface DraftChange {
  /** As the draft was. */
  readonly before: Agent;
  readonly after: Agent;
}

/** The entry of the log for a change that visitors do not see yet. */
export function changedDraft(principal: SettingsPrincipal, { before, after }: DraftChange): AuditRecord {
  return entryOf(principal, 'updated', after, { before: agentView(before), after: agentView(after) });
}

/** The entry for a draft that goes: what it had, and what is there without it. One that nobody can read goes too. */
export async function discardedDraft(
  revisions: Pick<RevisionStore, 'get' | 'getDraft'>,
  secrets: Secrets,
  { principal, record }: { readonly principal: SettingsPrincipal; readonly record: AgentRecord },
): Promise<AuditRecord> {
  try {
    const live = agentOf(record, secrets);
    const { agent } = await loadDraft(revisions, secrets, live);
    const sides = { before: agentView(agent), after: agentView(live) };
    return entryOf(principal, 'deleted', record, sides);
  } catch (error) {
    if (!(error instanceof UnreadableRecordError)) throw error;
    return entryOf(principal, 'deleted', record, { before: { unreadable: true }, after: null });
  }
}

function entryOf(
  principal: SettingsPrincipal,
  action: 'updated' | 'deleted',
  { id, name, tenantId }: Pick<Agent, 'id' | 'name' | 'tenantId'>,
  sides: { readonly before: object; readonly after: object | null },
): AuditRecord {
  return changeRecord(principal, { tenantId, action, kind: 'draft', subject: { id, name }, ...sides });
}
