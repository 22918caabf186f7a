import { readFile, writeFile } from 'node:fs/promises';
import type { Tenant } from './tenant.ts';
import { connectSettings, type Settings } from './settings.ts';

/** What a seeded tenant needs to be used. A secret key is shown by the service once, so it is kept. */
export interface SeededFirm {
  tenantId: string;
  agentId: string;
  publishable: Key;
  secret: Key;
}
interface Key {
  id: string;
  key: string;
}

interface Seeding {
  service: string;
  adminToken: string;
  tenants: Tenant[];
  /** Where the tenants' own servers answer, as the service reaches them. */
  server: string;
  /** Origins whose pages may use the publishable keys. */
  origins: string[];
  /** Keeps ids and keys from one start to the next; readable by its owner only. */
  file: string;
}

/** Creates each tenant with its agent, tools and keys, or brings what is there up to date. */
export async function seed({ service, adminToken, tenants, server, origins, file }: Seeding) {
  const settings = connectSettings(service, adminToken);
  const seeded = await readSeeded(file);
  for (const tenant of tenants) {
    const known = seeded[tenant.slug];
    const agentId = known && (await settings('GET', `/agents/${known.agentId}`)) ? known.agentId : undefined;
    const owner =
      known && agentId ? { tenantId: known.tenantId, agentId } : await createAgent(settings, tenant);
    await seedTools(settings, owner.agentId, tenant.tools(`${server}/${tenant.slug}/api`));
    await seedSources(settings, owner.agentId, (await tenant.sources?.(service)) ?? []);
    const kept = agentId ? known : undefined;
    seeded[tenant.slug] = {
      ...owner,
      publishable: await seedKey(
        settings,
        owner,
        'publishable',
        { allowedOrigins: origins },
        kept?.publishable,
      ),
      secret: await seedKey(settings, owner, 'secret', {}, kept?.secret),
    };
    await writeFile(file, `${JSON.stringify(seeded, null, 2)}\n`, { mode: 0o600 });
  }
  return new Map(Object.entries(seeded));
}

async function readSeeded(file: string): Promise<Record<string, SeededFirm>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

async function createAgent(settings: Settings, tenant: Tenant) {
  const created = await settings('POST', '/tenants', { name: tenant.name });
  const tenantId = String(created?.id);
  const agent = await settings('POST', '/agents', { tenantId, ...tenant.agent });
  return { tenantId, agentId: String(agent?.id) };
}

/** The agent itself is left as its tenant changed it; its tools follow the address of the demo. */
async function seedTools(settings: Settings, agentId: string, tools: ReturnType<Tenant['tools']>) {
  const list = await settings('GET', `/tools?agentId=${agentId}`);
  const existing = list?.items as { id: string; name: string }[];
  for (const tool of tools) {
    const found = existing.find(({ name }) => name === tool.name);
    if (found) await settings('PATCH', `/tools/${found.id}`, { request: tool.request });
    else await settings('POST', '/tools', { agentId, ...tool });
  }
}

/** What is there is replaced: a page of the documentation may have changed, and so may the service's address. */
async function seedSources(
  settings: Settings,
  agentId: string,
  sources: (Record<string, unknown> & { name: string })[],
) {
  if (sources.length === 0) return;
  const list = await settings('GET', `/sources?agentId=${agentId}&limit=200`);
  const existing = list?.items as { id: string; name: string }[];
  await Promise.all(
    sources.map(({ kind, ...source }) => {
      const found = existing.find(({ name }) => name === source.name);
      return found
        ? settings('PATCH', `/sources/${found.id}`, source)
        : settings('POST', '/sources', { agentId, kind, ...source });
    }),
  );
}

async function seedKey(
  settings: Settings,
  owner: { tenantId: string; agentId: string },
  kind: 'publishable' | 'secret',
  options: { allowedOrigins?: string[] },
  known: Key | undefined,
): Promise<Key> {
  const found = known && (await settings('PATCH', `/keys/${known.id}`, { label: 'Demo', ...options }));
  if (known && found?.last4 === known.key.slice(-4)) return known;
  const created = await settings('POST', '/keys', { ...owner, kind, label: 'Demo', ...options });
  return { id: String(created?.id), key: String(created?.key) };
}
