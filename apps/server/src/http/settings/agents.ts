import { settingsPatterns } from '@parley/protocol/paths';
import { agentCreateSchema, agentPatchSchema } from '@parley/protocol/settings/agent';
import { type ModelSettings } from '@parley/protocol/settings/model';
import { Router } from 'express';
import { scriptProblem } from '../../model/script/script-problem.ts';
import { agentAnswer, agentOf, newAgent, patchedAgent } from '../../settings/agent.ts';
import type { AgentRecord } from '../../store/settings-store.ts';
import { notValid } from '../parse.ts';
import { dangling, found } from './found.ts';
import { listPage } from './list.ts';
import { readBody } from './read-body.ts';
import type { SettingsDeps } from './settings-deps.ts';
import { orUnreadable, readable } from './unreadable.ts';

export function agentRoutes({ store, secrets, changes, admin }: SettingsDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { agents, tenants } = store.settings;
  const answer = (record: AgentRecord) => agentAnswer(readable(() => agentOf(record, secrets)));
  const listed = orUnreadable((record: AgentRecord) => agentAnswer(agentOf(record, secrets)));

  router.post(settingsPatterns.agents, admin, async (request, response) => {
    const create = await readBody(request, agentCreateSchema);
    refuseBadScript(create.model);
    await refuseBadIdentity(create.identity);
    if ((await tenants.get(create.tenantId)) === null) throw dangling('tenantId');
    const record = newAgent(create, secrets);
    await agents.insert(record);
    response.status(201).json(answer(record));
  });

  router.get(settingsPatterns.agents, admin, async (request, response) => {
    response.json(await listPage(request, agents, ['tenantId'], listed));
  });

  router.get(settingsPatterns.agent, admin, async (request, response) => {
    response.json(answer(found(await agents.get(request.params.id))));
  });

  router.patch(settingsPatterns.agent, admin, async (request, response) => {
    const patch = await readBody(request, agentPatchSchema);
    if (patch.model?.provider === 'scripted') refuseBadScript(patch.model);
    const stored = found(await agents.get(request.params.id));
    const before = readable(() => agentOf(stored, secrets));
    const record = patchedAgent(before, patch, secrets);
    const { id, name, active, config, credentials } = record;
    const { identitySecret, settings } = agentOf(record, secrets);
    await refuseBadIdentity({ ...settings.identity, secret: identitySecret ?? undefined });
    const after = found(await agents.update(id, { name, active, config, credentials }));
    if (before.active && !after.active) await changes.announce({ type: 'agent-deactivated', agentId: id });
    response.json(answer(after));
  });

  router.delete(settingsPatterns.agent, admin, async (request, response) => {
    const { id } = found(await agents.get(request.params.id));
    await agents.remove(id);
    await changes.announce({ type: 'agent-removed', agentId: id });
    response.status(204).end();
  });
  return router;
}

function refuseBadScript(model: ModelSettings): void {
  const problem = model.provider === 'scripted' ? scriptProblem(model.script) : undefined;
  if (problem === undefined) return;
  throw notValid([{ path: ['model', 'script'], message: problem }]);
}

/** A key nobody can sign for, or none where one is required, would lock every visitor out. */
async function refuseBadIdentity(identity: {
  readonly secret?: string | undefined;
  readonly publicKey?: string | undefined;
  readonly required: boolean;
}): Promise<void> {
  const { secret, publicKey, required } = identity;
  const refuse = (field: string, message: string) => notValid([{ path: ['identity', field], message }]);
  if (publicKey !== undefined) {
    const { isVisitorKey } = await import('../../settings/visitor-token.ts');
    if (!(await isVisitorKey(publicKey)))
      throw refuse('publicKey', 'Expected a public key on the curve P-256.');
  }
  if (required && secret === undefined && publicKey === undefined)
    throw refuse('required', 'Expected a secret or a public key to verify tokens with.');
}
