import { createAudit } from './create-audit.ts';
import { createCollection } from './collection.ts';
import type { Encoding } from './columns.ts';
import { createMembers } from './create-members.ts';
import { createMemberPictures } from './create-member-pictures.ts';
import { createPasskeyChallenges } from './create-passkey-challenges.ts';
import { createSignIns } from './create-sign-ins.ts';
import { createRevisions } from './create-revisions.ts';
import type { PasskeyRecord } from './passkey-store.ts';
import type { QueryEngine } from './query-engine.ts';
import { recordMemory } from './record-memory.ts';
import type { AgentRecord } from './agent-record.ts';
import type {
  ConnectionRecord,
  ConsoleSessionRecord,
  InvitationRecord,
  KeyRecord,
  SettingsStore,
  SourceRecord,
  TenantRecord,
  ToolRecord,
  WebhookRecord,
} from './settings-store.ts';

const agentEncoding: Encoding = {
  json: { config: null },
  boolean: ['active'],
  long: ['config', 'credentials'],
};
const keyEncoding: Encoding = {
  json: { allowedOrigins: [] },
  boolean: ['allowMissingOrigin'],
  long: ['allowed_origins'],
};

/** The settings of any engine; `removeSessions` removes those of a tenant, page by page. */
export function createSettings(
  engine: QueryEngine,
  removeSessions: (tenantId: string) => Promise<void>,
): SettingsStore {
  const { queries, read, write } = engine;
  const tenants = createCollection<TenantRecord>(engine, 'tenants', {
    json: { prices: null, team: null, pipeline: null },
    boolean: [],
    long: ['name', 'prices', 'team', 'pipeline'],
  });
  const keyOf = recordMemory<KeyRecord>(keyEncoding);
  return {
    tenants: {
      ...tenants,
      async remove(id, change) {
        await removeSessions(id);
        const removed = await tenants.remove(id, change);
        // A session may have been opened between the last page and the tenant's end.
        await removeSessions(id);
        return removed;
      },
    },
    agents: {
      ...createCollection<AgentRecord>(engine, 'agents', agentEncoding),
      async listOfTenants({ tenantIds, after, limit }) {
        const agents = queries
          .selectFrom('agents')
          .select(['id', 'tenant_id'])
          .where('tenant_id', 'in', tenantIds)
          .where('id', '>', after ?? '');
        const rows = await read(agents.orderBy('id').limit(limit).compile());
        return rows.map(({ id, tenant_id: tenantId }) => ({ id: String(id), tenantId: String(tenantId) }));
      },
    },
    revisions: createRevisions(engine, agentEncoding),
    keys: {
      ...createCollection<KeyRecord>(engine, 'keys', keyEncoding),
      async byDigest(digest) {
        const [row] = await read(
          queries.selectFrom('keys').selectAll().where('digest', '=', digest).compile(),
        );
        return row === undefined ? null : keyOf(row);
      },
      async listRights(ids) {
        const rights = queries.selectFrom('keys').select(['id', 'digest', 'agent_id']).where('id', 'in', ids);
        return (await read(rights.compile())).map(({ id, digest, agent_id: agentId }) => ({
          id: String(id),
          digest: String(digest),
          agentId: agentId === null ? null : String(agentId),
        }));
      },
    },
    tools: createCollection<ToolRecord>(engine, 'tools', {
      json: { config: null },
      boolean: [],
      long: ['config', 'secrets'],
    }),
    sources: createCollection<SourceRecord>(engine, 'sources', {
      json: { config: null, reading: null, unreadPages: null },
      boolean: [],
      long: ['config', 'reading', 'unread_pages'],
    }),
    connections: createCollection<ConnectionRecord>(engine, 'connections', {
      json: { config: null, state: null },
      boolean: [],
      long: ['config', 'state'],
    }),
    signIns: createSignIns(engine),
    webhooks: createCollection<WebhookRecord>(engine, 'webhooks', {
      json: { config: null, state: null },
      boolean: ['active'],
      long: ['config', 'secrets', 'state'],
    }),
    members: createMembers(engine),
    invitations: createCollection<InvitationRecord>(engine, 'invitations', {
      json: {},
      boolean: ['isSetup'],
      long: ['digest'],
    }),
    consoleSessions: createCollection<ConsoleSessionRecord>(engine, 'console_sessions', {
      json: {},
      boolean: [],
      long: ['digest'],
    }),
    passkeys: createCollection<PasskeyRecord>(engine, 'passkeys', {
      json: { transports: [] },
      boolean: [],
      long: ['public_key', 'credential_id'],
    }),
    passkeyChallenges: createPasskeyChallenges(engine),
    memberPictures: createMemberPictures(engine),
    audit: createAudit(engine),
    async listTenantRevisions(limit) {
      const latest = queries.selectFrom('tenant_revisions').select(['tenant_id', 'revision']);
      const rows = await read(latest.orderBy('revision', 'desc').limit(limit).compile());
      return rows.map(({ tenant_id: tenantId, revision }) => ({
        tenantId: String(tenantId),
        revision: Number(revision),
      }));
    },
    secretCheck: {
      async get() {
        const [row] = await read(queries.selectFrom('secret_check').select('value').compile());
        return row === undefined ? null : String(row['value']);
      },
      async set(value, before) {
        const insert = queries
          .insertInto('secret_check')
          .values({ key: 1, value })
          .onConflict((row) =>
            before === null
              ? row.column('key').doNothing()
              : row.column('key').doUpdateSet({ value }).where('secret_check.value', '=', before),
          )
          .returning('key');
        return (await write(insert.compile())).length > 0;
      },
    },
  };
}
