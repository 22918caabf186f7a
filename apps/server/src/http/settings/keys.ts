import { settingsPatterns } from '@parley/protocol/paths';
import { keyCreateSchema, keyPatchSchema } from '@parley/protocol/settings/key';
import { Router } from 'express';
import { keyAnswer, newKey, newMaterial } from '../../settings/key-record.ts';
import { sharedSuffix } from '../../settings/origin.ts';
import { notValid } from '../parse.ts';
import { dangling, found } from './found.ts';
import { listPage } from './list.ts';
import { readBody } from './read-body.ts';
import type { SettingsDeps } from './settings-deps.ts';

/** Sites below a public suffix are anybody's: a key that lists them all lists everybody. */
function refusePublicSuffix(origins: readonly string[] | null | undefined): void {
  const issues = (origins ?? []).flatMap((origin, index) => {
    const suffix = sharedSuffix(origin);
    if (suffix === null) return [];
    const message = `Anybody can have a site below ${suffix}. List your own, such as https://shop.${suffix}.`;
    return [{ path: ['allowedOrigins', index], message }];
  });
  if (issues.length > 0) throw notValid(issues);
}

export function keyRoutes({ store, changes, admin }: SettingsDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { keys, agents, tenants } = store.settings;

  const requireAgentOf = async (tenantId: string, agentId: string): Promise<void> => {
    if ((await agents.get(agentId))?.tenantId !== tenantId) throw dangling('agentId');
  };

  router.post(settingsPatterns.keys, admin, async (request, response) => {
    const create = await readBody(request, keyCreateSchema);
    refusePublicSuffix(create.allowedOrigins);
    if ((await tenants.get(create.tenantId)) === null) throw dangling('tenantId');
    if (create.agentId !== null) await requireAgentOf(create.tenantId, create.agentId);
    const { record, key } = newKey(create);
    await keys.insert(record);
    await changes.announce({ type: 'origins-changed' });
    response.status(201).json(keyAnswer(record, key));
  });

  router.get(settingsPatterns.keys, admin, async (request, response) => {
    response.json(await listPage(request, keys, ['tenantId', 'agentId'], (record) => keyAnswer(record)));
  });

  router.get(settingsPatterns.key, admin, async (request, response) => {
    response.json(keyAnswer(found(await keys.get(request.params.id))));
  });

  router.patch(settingsPatterns.key, admin, async (request, response) => {
    const patch = await readBody(request, keyPatchSchema);
    refusePublicSuffix(patch.allowedOrigins);
    const before = found(await keys.get(request.params.id));
    if (typeof patch.agentId === 'string') await requireAgentOf(before.tenantId, patch.agentId);
    const after = found(
      await keys.update(before.id, {
        ...(patch.agentId !== undefined && { agentId: patch.agentId }),
        ...(patch.label !== undefined && { label: patch.label }),
        ...(patch.allowedOrigins !== undefined && { allowedOrigins: patch.allowedOrigins ?? [] }),
        ...(patch.allowMissingOrigin !== undefined && {
          allowMissingOrigin: patch.allowMissingOrigin ?? true,
        }),
      }),
    );
    await changes.announce({ type: 'origins-changed' });
    if (after.agentId !== before.agentId) await changes.announce({ type: 'key-revoked', keyId: after.id });
    response.json(keyAnswer(after));
  });

  router.post(settingsPatterns.regenerateKey, admin, async (request, response) => {
    const before = found(await keys.get(request.params.id));
    const { material, key } = newMaterial(before.kind);
    const after = found(await keys.update(before.id, material));
    await changes.announce({ type: 'key-revoked', keyId: after.id });
    response.json(keyAnswer(after, key));
  });

  router.delete(settingsPatterns.key, admin, async (request, response) => {
    const { id } = found(await keys.get(request.params.id));
    await keys.remove(id);
    await changes.announce({ type: 'key-revoked', keyId: id });
    response.status(204).end();
  });
  return router;
}
