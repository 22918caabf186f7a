import type { TenantCreate, TenantPatch, TenantView } from '@parley/protocol/settings/tenant';
import type { AgentRecord, KeyRecord, SettingsStore, TenantRecord } from '../store/settings-store.ts';
import { newId } from './id.ts';
import type { ResourceDefinition } from './resource.ts';
import { storedPrices } from './stored-prices.ts';

interface TenantDeps {
  readonly settings: SettingsStore;
  /** Each removes a record with all that follows from its absence. */
  readonly removeKey: (record: KeyRecord) => Promise<void>;
  readonly removeAgent: (record: AgentRecord) => Promise<void>;
}

export function tenantDefinition({
  settings,
  removeKey,
  removeAgent,
}: TenantDeps): ResourceDefinition<TenantRecord, TenantCreate, TenantPatch, TenantView> {
  const { tenants, keys, agents } = settings;

  /** First nobody gets in any more, then what runs is ended, and only then is everything erased. */
  async function clear({ id: tenantId }: TenantRecord): Promise<void> {
    const first = { where: { tenantId }, after: null, limit: 100 };
    for (let page = await keys.list(first); page.items.length > 0; page = await keys.list(first))
      for (const key of page.items) await removeKey(key);
    for (let page = await agents.list(first); page.items.length > 0; page = await agents.list(first))
      for (const agent of page.items) await removeAgent(agent);
  }

  return {
    kind: 'tenant',
    nameOf: ({ name }) => name,
    records: tenants,
    tenantOf: ({ id }) => id,
    ofTenant: (id) => ({ id }),
    view: ({ id, name, createdAt, prices: stored }) => {
      const prices = storedPrices(stored);
      return { id, name, createdAt, ...(prices && { prices }) };
    },
    owner: null,
    create: async ({ name }) => ({
      record: { id: newId('tenant'), name, createdAt: new Date().toISOString() },
    }),
    patch: async (_record, { name, prices }) => ({
      ...(name !== undefined && { name }),
      ...(prices !== undefined && { prices }),
    }),
    clear,
  };
}
