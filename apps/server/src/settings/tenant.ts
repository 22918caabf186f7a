import type { TenantCreate, TenantPatch, TenantView } from '@parley/protocol/settings/tenant';
import type { AgentRecord } from '../store/agent-record.ts';
import type { KeyRecord, SettingsStore, TenantRecord, WebhookRecord } from '../store/settings-store.ts';
import { newId } from './id.ts';
import type { ResourceDefinition } from './resource.ts';
import { storedPrices } from './stored-prices.ts';
import { storedPipeline } from './stored-pipeline.ts';
import { storedTeam } from './team/stored-team.ts';

interface TenantDeps {
  readonly settings: SettingsStore;
  /** Each removes a record with all that follows from its absence. */
  readonly removeKey: (record: KeyRecord) => Promise<void>;
  readonly removeAgent: (record: AgentRecord) => Promise<void>;
  readonly removeWebhook: (record: WebhookRecord) => Promise<void>;
}

export function tenantDefinition({
  settings,
  removeKey,
  removeAgent,
  removeWebhook,
}: TenantDeps): ResourceDefinition<TenantRecord, TenantCreate, TenantPatch, TenantView> {
  const { tenants, keys, agents, webhooks } = settings;

  /** First nobody gets in any more, then what runs is ended, and only then is everything erased. */
  async function clear({ id: tenantId }: TenantRecord): Promise<void> {
    const first = { where: { tenantId }, after: null, limit: 100 };
    for (let page = await keys.list(first); page.items.length > 0; page = await keys.list(first))
      for (const key of page.items) await removeKey(key);
    for (let page = await agents.list(first); page.items.length > 0; page = await agents.list(first))
      for (const agent of page.items) await removeAgent(agent);
    for (let page = await webhooks.list(first); page.items.length > 0; page = await webhooks.list(first))
      for (const webhook of page.items) await removeWebhook(webhook);
  }

  return {
    kind: 'tenant',
    nameOf: ({ name }) => name,
    records: tenants,
    tenantOf: ({ id }) => id,
    ofTenant: (id) => ({ id }),
    view: ({ id, name, createdAt, ...stored }) => {
      const prices = storedPrices(stored.prices);
      const team = storedTeam(stored.team);
      const pipeline = storedPipeline(stored.pipeline);
      return { id, name, createdAt, ...(prices && { prices }), ...(team && { team }), pipeline };
    },
    owner: null,
    create: async ({ name }) => ({
      record: { id: newId('tenant'), name, createdAt: new Date().toISOString() },
    }),
    patch: async (_record, { name, prices, team, pipeline }) => ({
      ...(name !== undefined && { name }),
      ...(prices !== undefined && { prices }),
      ...(team !== undefined && { team }),
      ...(pipeline !== undefined && { pipeline }),
    }),
    clear,
  };
}
