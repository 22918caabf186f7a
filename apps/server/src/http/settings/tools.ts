import { randomUUID } from 'node:crypto';
import { settingsPatterns } from '@parley/protocol/paths';
import { visitorHeaderName } from '@parley/protocol/session-headers';
import {
  type ToolPatch,
  type ToolSettings,
  toolCreateSchema,
  toolPatchSchema,
  toolTestSchema,
} from '@parley/protocol/settings/tool';
import { Router } from 'express';
import type { Egress } from '../../egress/egress.ts';
import { UnknownSecretError } from '../../settings/unmask-secrets.ts';
import { newTool, patchedTool, recordOf, toolAnswer, toolOf } from '../../settings/tools.ts';
import type { ToolRecord } from '../../store/settings-store.ts';
import { notValid } from '../parse.ts';
import { dangling, found } from './found.ts';
import { listPage } from './list.ts';
import { readBody } from './read-body.ts';
import type { SettingsDeps } from './settings-deps.ts';
import { orUnreadable, readable } from './unreadable.ts';

export function toolRoutes(deps: SettingsDeps & { readonly egress: Pick<Egress, 'request'> }): Router {
  const { store, secrets, admin, egress, platform } = deps;
  const visitorHeader = visitorHeaderName(platform);
  const router = Router({ caseSensitive: true, strict: true });
  const { tools, agents } = store.settings;
  const toolIn = (record: ToolRecord) => readable(() => toolOf(record, secrets));

  const answer = (record: ToolRecord) => toolAnswer(toolIn(record));
  const listed = orUnreadable((record: ToolRecord) => toolAnswer(toolOf(record, secrets)));

  const refuseTakenName = async (tool: ToolRecord): Promise<void> => {
    const { agentId, name } = tool;
    const taken = await tools.list({ where: { agentId, name }, after: null, limit: 2 });
    if (taken.items.some(({ id }) => id !== tool.id))
      throw notValid([{ path: ['name'], message: 'The agent has a tool of this name already.' }]);
  };

  router.post(settingsPatterns.tools, admin, async (request, response) => {
    const create = await readBody(request, toolCreateSchema);
    const agent = await agents.get(create.agentId);
    if (agent === null) throw dangling('agentId');
    await refuseBadTool(create, visitorHeader);
    const record = newTool(create, agent.tenantId, secrets);
    await refuseTakenName(record);
    await tools.insert(record);
    response.status(201).json(answer(record));
  });

  router.get(settingsPatterns.tools, admin, async (request, response) => {
    response.json(await listPage(request, tools, ['tenantId', 'agentId'], listed));
  });

  router.get(settingsPatterns.tool, admin, async (request, response) => {
    response.json(answer(found(await tools.get(request.params.id))));
  });

  router.patch(settingsPatterns.tool, admin, async (request, response) => {
    const patch = await readBody(request, toolPatchSchema);
    const before = found(await tools.get(request.params.id));
    const settings = patchedOrRefused(toolIn(before), patch);
    await refuseBadTool(settings, visitorHeader);
    const record = recordOf(settings, before.tenantId, secrets);
    await refuseTakenName(record);
    const { id, name, config, secrets: sealed } = record;
    response.json(answer(found(await tools.update(id, { name, config, secrets: sealed }))));
  });

  router.delete(settingsPatterns.tool, admin, async (request, response) => {
    found((await tools.remove(request.params.id)) || null);
    response.status(204).end();
  });

  router.post(settingsPatterns.testTool, admin, async (request, response) => {
    const { input } = await readBody(request, toolTestSchema);
    const record = found(await tools.get(request.params.id));
    const { httpTool } = await import('../../tool/http-tool.ts');
    // A test is made for no visitor.
    const nobody = { name: visitorHeader, issuer: '', secret: null };
    const { tenantId } = record;
    const tool = httpTool({ settings: toolIn(record), egress, tenantId, visitorHeader: nobody });
    const problem = tool.invalid(input);
    if (problem !== undefined) throw notValid([{ path: ['input'], message: problem }]);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const callId = randomUUID();
    const startedAt = performance.now();
    const outcome = await tool.execute(input, {
      callId,
      idempotencyKey: callId,
      signal: gone.signal,
      visitor: null,
      session: '',
    });
    response.json({
      status: outcome.ok ? 'completed' : 'failed',
      durationMs: Math.round(performance.now() - startedAt),
      output: outcome.ok ? outcome.output : { code: outcome.code, message: outcome.message },
    });
  });
  return router;
}

function patchedOrRefused(tool: ToolSettings, patch: ToolPatch): ToolSettings {
  try {
    return patchedTool(tool, patch);
  } catch (error) {
    if (error instanceof UnknownSecretError)
      throw notValid([{ path: [...error.path], message: error.message }]);
    throw error;
  }
}

/** The JSON Schema compiler is heavy: it is loaded by the first tool, not at start. */
async function refuseBadTool(
  tool: Omit<ToolSettings, 'id' | 'createdAt'>,
  visitorHeader: string,
): Promise<void> {
  const { toolProblem } = await import('../../tool/tool-problem.ts');
  const problem = toolProblem(tool, visitorHeader);
  if (problem !== undefined) throw notValid([{ path: [...problem.path], message: problem.message }]);
}
