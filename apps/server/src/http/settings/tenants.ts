import { settingsPatterns } from '@parley/protocol/paths';
import { tenantCreateSchema, tenantPatchSchema } from '@parley/protocol/settings/tenant';
import { Router } from 'express';
import { newId } from '../../settings/id.ts';
import type { Collection } from '../../store/settings-store.ts';
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
    await removeOwned(keys, tenant.id, (keyId) => changes.announce({ type: 'key-revoked', keyId }));
    await removeOwned(agents, tenant.id, (agentId) => changes.announce({ type: 'agent-removed', agentId }));
    await tenants.remove(tenant.id);
    response.status(204).end();
  });
  return router;
}

/** Removes a page of what the tenant owns, and the next, until nothing is left. */
async function removeOwned<T extends { readonly id: string; readonly tenantId: string }>(
  collection: Collection<T>,
  tenantId: string,
  removed: (id: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const page = await collection.list({ where: { tenantId } as Partial<T>, after: null, limit: 100 });
    if (page.items.length === 0) return;
    for (const { id } of page.items) {
      await collection.remove(id);
      await removed(id);
    }
  }
}
