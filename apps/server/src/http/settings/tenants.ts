import { settingsPatterns } from '@parley/protocol/paths';
import { tenantCreateSchema, tenantPatchSchema } from '@parley/protocol/settings';
import { Router } from 'express';
import { newId } from '../../settings/id.ts';
import type { Store } from '../../store/store.ts';
import { found } from './found.ts';
import { listPage } from './list.ts';
import { readBody } from './read-body.ts';
import type { SettingsDeps } from './settings-deps.ts';

export function tenantRoutes({ store, changes, admin }: SettingsDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { tenants } = store.settings;

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
    const keyIds = await keysOf(store, tenant.id);
    await tenants.remove(tenant.id);
    for (const keyId of keyIds) await changes.announce({ type: 'key-revoked', keyId });
    await changes.announce({ type: 'tenant-removed', tenantId: tenant.id });
    response.status(204).end();
  });
  return router;
}

async function keysOf(store: Store, tenantId: string): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page = await store.settings.keys.list({ where: { tenantId }, after, limit: 500 });
    ids.push(...page.items.map((key) => key.id));
    after = page.next;
  } while (after !== null);
  return ids;
}
