import type { AgentCreate, AgentPatch, AgentView } from '@parley/protocol/settings/agent';
import type { Secrets } from '../crypto/secrets.ts';
import type { AgentRecord } from '../store/agent-record.ts';
import type { SettingsStore, SourceRecord } from '../store/settings-store.ts';
import {
  agentOf,
  agentView,
  patchAgent,
  recordOf,
  rejectBadIdentity,
  rejectBadScript,
  rejectLargeAvatar,
} from './agent.ts';
import { allRecords } from './all-records.ts';
import { newId } from './id.ts';
import { rejectBorrowedMailboxes } from './reject-borrowed-mailboxes.ts';
import { rejectUnknownApprovers } from './reject-unknown-approvers.ts';
import type { ResourceDefinition } from './resource.ts';
import { firstRevision, writeAgent } from './revision/write-agent.ts';

interface AgentDeps {
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly endSessionsOf: (agentId: string) => Promise<void>;
  /** Removes a source with all that was read of it. */
  readonly removeSource: (record: SourceRecord) => Promise<void>;
}

export function agentDefinition(
  deps: AgentDeps,
): ResourceDefinition<AgentRecord, AgentCreate, AgentPatch, AgentView> {
  const { secrets, endSessionsOf, removeSource } = deps;
  const { tenants, members, agents, revisions, sources } = deps.settings;
  return {
    kind: 'agent',
    nameOf: ({ name }) => name,
    records: agents,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    view: (record) => agentView(agentOf(record, secrets)),
    owner: {
      field: 'tenantId',
      tenantOf: async ({ tenantId }) => (await tenants.get(tenantId))?.id,
    },
    async create(create) {
      rejectBadScript(create.model);
      rejectLargeAvatar(create.widget);
      await rejectBadIdentity(create.identity);
      await rejectUnknownApprovers(members, create.tenantId, create.approvalMail);
      const created = { id: newId('agent'), revision: 1, createdAt: new Date().toISOString() };
      return { record: recordOf(created, create, secrets) };
    },
    async patch(record, patch) {
      const before = agentOf(record, secrets);
      const after = await patchAgent(before, patch, secrets);
      const { approvalMail } = before.settings;
      await rejectUnknownApprovers(members, record.tenantId, patch.approvalMail ?? undefined, approvalMail);
      const { name, active, config, credentials } = after;
      return { name, active, config, credentials };
    },
    writes: {
      async insert(principal, record, change) {
        await rejectBorrowedMailboxes(members, principal, agentOf(record, secrets).settings.approvalMail);
        await revisions.begin(record, firstRevision(principal, record), change);
      },
      update: (...write) => writeAgent(deps, ...write),
    },
    async clear({ id }) {
      for await (const source of allRecords(sources, { agentId: id })) await removeSource(source);
    },
    removed: ({ id }) => endSessionsOf(id),
  };
}
