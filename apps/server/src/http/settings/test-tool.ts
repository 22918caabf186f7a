import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { ToolTestView } from '@parley/protocol/settings/tool-trial';
import type { Response } from 'express';
import { authorize } from '../../auth/authorize.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { readable } from '../../settings/readable.ts';
import type { Resource } from '../../settings/resource.ts';
import { dangling, SettingsError } from '../../settings/settings-error.ts';
import { changedTool, newTool, toolOf } from '../../settings/tool.ts';
import type { SettingsStore, ToolRecord } from '../../store/settings-store.ts';
import type { ToolRegistry } from '../../tool/registry.ts';
import { goneSignal } from '../gone-signal.ts';
import type { Handlers } from '../handlers.ts';
import { notValid } from '../parse.ts';
import type { Trials } from './trials.ts';

interface TestToolDeps {
  readonly tools: Pick<Resource<ToolRecord, never, never, object>, 'find'>;
  readonly agents: Pick<SettingsStore['agents'], 'get'>;
  readonly secrets: Secrets;
  readonly toolRegistry: ToolRegistry;
  readonly trials: Trials;
}

/** Runs a tool once, for no visitor and in no conversation. */
export function testToolHandlers({
  tools,
  agents,
  trials,
  ...deps
}: TestToolDeps): Handlers<'testTool' | 'testNewTool'> {
  async function run(
    response: Response,
    principal: SettingsPrincipal,
    { tool, tenantId, input }: { tool: ToolSettings; tenantId: string; input: Record<string, unknown> },
  ): Promise<void> {
    await trials.count(principal);
    const startedAt = performance.now();
    const result = await deps.toolRegistry
      .configured(tool.kind)
      .test(tool, input, { tenantId, signal: goneSignal(response) });
    if ('issues' in result) throw notValid(result.issues);
    const { outcome, exchange } = result;
    const view: ToolTestView = {
      status: outcome.ok ? 'completed' : 'failed',
      durationMs: Math.round(performance.now() - startedAt),
      output: outcome.ok ? outcome.output : { code: outcome.code, message: outcome.message },
      request: exchange?.request ?? null,
      response: exchange?.response ?? null,
    };
    const { id, name } = tool;
    const answered = view.response && { answered: view.response.status };
    const found = { outcome: view.status, ...answered };
    await trials.record(principal, { tenantId, kind: 'tool', subject: { id, name }, found });
    response.json(view);
  }

  return {
    async testTool({ response, principal, id, body: { input, changes } }) {
      const record = await tools.find(principal, id);
      const stored = await readable(() => toolOf(record, deps));
      const tool =
        changes === undefined
          ? stored
          : await issuesUnder('changes', () => changedTool(stored, changes, deps));
      await run(response, principal, { tool, tenantId: record.tenantId, input });
    },
    async testNewTool({ response, principal, body: { tool: create, input } }) {
      const tenantId = (await agents.get(create.agentId))?.tenantId;
      if (tenantId === undefined || !authorize(principal, tenantId)) throw dangling('tool.agentId');
      const tool = await issuesUnder('tool', () => newTool(create, deps));
      await run(response, principal, { tool, tenantId, input });
    },
  };
}

/** Names the fields as the request does. */
async function issuesUnder<Found>(field: string, find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const issues = error.issues.map(({ path, message }) => ({ path: [field, ...path], message }));
    throw new SettingsError(error.code, error.message, issues);
  }
}
