import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { AuditRecord } from '../../store/audit-store.ts';
import type { Author, NewRevision, RevisionRecord } from '../../store/revision-store.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import { agentOf } from '../agent.ts';
import { rejectBorrowedMailboxes } from '../reject-borrowed-mailboxes.ts';
import { changedFields } from './changed-fields.ts';
import { snapshotOf } from './snapshot.ts';

/** Fields of one change that a revision names. */
const maxFields = 100;

export const authorOf = (principal: SettingsPrincipal): Author =>
  principal.kind === 'member' ? { id: principal.id, name: principal.name } : null;

export function firstRevision(principal: SettingsPrincipal, record: AgentRecord): RevisionRecord {
  const author = authorOf(principal);
  return { ...snapshotOf(record), revision: record.revision, at: Date.now(), author, note: null, fields: [] };
}

interface WriteAgentDeps {
  readonly settings: Pick<SettingsStore, 'agents' | 'members' | 'revisions'>;
  readonly secrets: Secrets;
}

/**
 * Writes fields of an agent: as its next revision if they change anything that a revision has. Null when the agent is
 * gone, or was changed since it was read.
 */
export async function writeAgent(
  { settings: { agents, members, revisions }, secrets }: WriteAgentDeps,
  principal: SettingsPrincipal,
  before: AgentRecord,
  fields: NewRevision['fields'],
  entry: AuditRecord,
  { note, draft }: { readonly note: string | null; readonly draft: string | null } = {
    note: null,
    draft: null,
  },
): Promise<AgentRecord | null> {
  const after = { ...before, ...fields };
  const [live, next] = [agentOf(before, secrets), agentOf(after, secrets)];
  const changes = changedFields(live, next);
  if (changes.length === 0) {
    const { name, active, config, credentials, revision } = before;
    return agents.update(before.id, fields, entry, { name, active, config, credentials, revision });
  }
  await rejectBorrowedMailboxes(members, principal, next.settings.approvalMail, live.settings.approvalMail);
  const revision: RevisionRecord = {
    ...snapshotOf(after),
    revision: before.revision + 1,
    at: Date.now(),
    author: authorOf(principal),
    note,
    fields: changes.slice(0, maxFields).map(({ field }) => field),
  };
  return revisions.publish(before.id, { revision, fields, before, draft }, entry);
}
