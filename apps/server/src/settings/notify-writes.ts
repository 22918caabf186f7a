import type { Bus, SettingsChanged } from '../bus/bus.ts';
import type { Collection, SettingsStore } from '../store/settings-store.ts';

/** The same settings; every process is told of a write once it has been made, or may have been, before its promise settles. */
export function notifyWrites(settings: SettingsStore, bus: Pick<Bus, 'publish'>): SettingsStore {
  function notifying<T extends { readonly id: string }>(
    kind: SettingsChanged['kind'],
    collection: Collection<T>,
    tenantOf: (record: T) => string,
  ): Collection<T> {
    async function write<R>(id: string, record: T | null, written: Promise<R>): Promise<R> {
      try {
        return await written;
      } finally {
        bus.publish({ topic: 'settingsChanged', kind, id, tenantId: record && tenantOf(record) });
      }
    }
    return {
      get: (id) => collection.get(id),
      list: (query) => collection.list(query),
      insert: (record, change) => write(record.id, record, collection.insert(record, change)),
      update: async (id, fields, change, before) =>
        write(id, await collection.get(id), collection.update(id, fields, change, before)),
      remove: async (id, change) => write(id, await collection.get(id), collection.remove(id, change)),
    };
  }

  /** A write of an agent's revision or draft, which is a change of the agent. */
  async function changed<R>(
    agentId: string,
    written: Promise<R>,
    tenantId: string | null = null,
  ): Promise<R> {
    try {
      return await written;
    } finally {
      bus.publish({ topic: 'settingsChanged', kind: 'agent', id: agentId, tenantId });
    }
  }

  const tenantOf = (record: { readonly tenantId: string }) => record.tenantId;
  const { revisions } = settings;
  return {
    tenants: notifying('tenant', settings.tenants, ({ id }) => id),
    agents: {
      ...notifying('agent', settings.agents, tenantOf),
      listOfTenants: (query) => settings.agents.listOfTenants(query),
    },
    revisions: {
      begin: (agent, revision, change) =>
        changed(agent.id, revisions.begin(agent, revision, change), agent.tenantId),
      publish: (id, next, change) => changed(id, revisions.publish(id, next, change)),
      list: (query) => revisions.list(query),
      get: (id, revision) => revisions.get(id, revision),
      getDraft: (id) => revisions.getDraft(id),
      saveDraft: (draft, ...write) => changed(draft.agentId, revisions.saveDraft(draft, ...write)),
      removeDraft: (id, ...removal) => changed(id, revisions.removeDraft(id, ...removal)),
      listDrafts: (query) => revisions.listDrafts(query),
    },
    keys: {
      ...notifying('key', settings.keys, tenantOf),
      byDigest: (digest) => settings.keys.byDigest(digest),
      listRights: (ids) => settings.keys.listRights(ids),
    },
    tools: notifying('tool', settings.tools, tenantOf),
    sources: notifying('source', settings.sources, tenantOf),
    connections: notifying('connection', settings.connections, tenantOf),
    webhooks: notifying('webhook', settings.webhooks, tenantOf),
    // Nobody keeps anything of these: they are read with every request.
    signIns: settings.signIns,
    members: settings.members,
    invitations: settings.invitations,
    consoleSessions: settings.consoleSessions,
    passkeys: settings.passkeys,
    passkeyChallenges: settings.passkeyChallenges,
    memberPictures: settings.memberPictures,
    audit: settings.audit,
    listTenantRevisions: (limit) => settings.listTenantRevisions(limit),
    secretCheck: settings.secretCheck,
  };
}
