import { settingsPatterns } from '@parley/protocol/paths';
import { tenantCreateSchema, tenantPatchSchema } from '@parley/protocol/settings/tenant';
import { Router } from 'express';
import { newId } from '../../settings/id.ts';
import type { Collection, Page } from '../../store/settings-store.ts';
import { found } from './found.ts';
import { listPage } from './list.ts';
import { readBody } from './read-body.ts';
import type { SettingsDeps } from './settings-deps.ts';

export function tenantRoutes({ store, changes, admin }: SettingsDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { tenants, agents, keys } = store.settings;

  router.post(settingsPatterns.tenants, admin, async (request, response) => {
    const { name } = await readBody(request, tenantCreateSchema);
    const tenant = { id: newId('tenant'), name, createdAt: new Date().toISOString() };
    await tenants.insert(tenant);
    response.status(201).json(tenant);
  });

  router.get(settingsPatterns.tenants, admin, async (request, response) => {
    response.json(await listPage(request, tenants, [], (tenant) => tenant));
  });

  router.get(settingsPatterns.tenant, admin, async (request, response) => {
    response.json(found(await tenants.get(request.params.id)));
  });

  router.patch(settingsPatterns.tenant, admin, async (request, response) => {
    const { name } = await readBody(request, tenantPatchSchema);
    const { id } = request.params;
    response.json(found(name === undefined ? await tenants.get(id) : await tenants.update(id, { name })));
  });

  router.delete(settingsPatterns.tenant, admin, async (request, response) => {
    const tenant = found(await tenants.get(request.params.id));
    // First nobody gets in any more, then what runs is ended, and only then is everything erased.
    for (const { id } of await ownedBy(keys, tenant.id)) {
      await keys.remove(id);
      await changes.announce({ type: 'key-revoked', keyId: id });
    }
    for (const { id } of await ownedBy(agents, tenant.id)) {
      await agents.remove(id);
      await changes.announce({ type: 'agent-removed', agentId: id });
    }
    await tenants.remove(tenant.id);
    response.status(204).end();
  });
  return router;
}

async function ownedBy<T extends { readonly id: string; readonly tenantId: string }>(
  collection: Collection<T>,
  tenantId: string,
): Promise<T[]> {
  const owned: T[] = [];
  let after: string | null = null;
  do {
    const where = { tenantId } as Partial<T>;
    const page: Page<T> = await collection.list({ where, after, limit: 500 });
    owned.push(...page.items);
    after = page.next;
  } while (after !== null);
  return owned;
}
