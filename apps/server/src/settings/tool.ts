import type { ToolCreate, ToolPatch, ToolSettings, ToolView } from '@parley/protocol/settings/tool';
import type { Secrets } from '../crypto/secrets.ts';
import type { SettingsStore, ToolRecord } from '../store/settings-store.ts';
import type { ToolRegistry } from '../tool/registry.ts';
import { ToolSettingsError } from '../tool/tool-settings-error.ts';
import { newId } from './id.ts';
import { parseSecrets } from './parse-secrets.ts';
import { patched } from './patch.ts';
import type { ResourceDefinition } from './resource.ts';
import { invalid, SettingsError } from './settings-error.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

/** What it takes to read a tool's record and to write one: the source of its kind knows what is secret about it. */
export interface ToolRecordDeps {
  readonly toolRegistry: Pick<ToolRegistry, 'configured'>;
  readonly secrets: Secrets;
}

/** Every tool of an agent as it runs, its secrets opened; oldest first. */
export async function loadTools(
  settings: SettingsStore,
  deps: ToolRecordDeps,
  agentId: string,
): Promise<ToolSettings[]> {
  const tools: ToolSettings[] = [];
  let after: string | null = null;
  do {
    const page = await settings.tools.list({ where: { agentId }, after, limit: 200 });
    for (const record of page.items) tools.push(toolOf(record, deps));
    after = page.next;
  } while (after !== null);
  return tools;
}

export function toolOf(record: ToolRecord, { toolRegistry, secrets }: ToolRecordDeps): ToolSettings {
  const { id, agentId, name, config, createdAt } = record;
  try {
    const stored = { ...Object(config), id, agentId, name, createdAt };
    const source = toolRegistry.configured(stored.kind);
    const opened =
      record.secrets === null
        ? null
        : parseSecrets(source.secretsSchema, secrets.decrypt(record.secrets, toolContext(id)));
    return source.schema.parse(source.joinSecrets(stored, opened));
  } catch (error) {
    throw new UnreadableRecordError('tool', id, error);
  }
}

/** The settings of a tool that is not stored, as a stored one has them. Throws a `SettingsError` for what cannot work. */
export async function newTool(
  create: ToolCreate,
  deps: Pick<ToolRecordDeps, 'toolRegistry'>,
): Promise<ToolSettings> {
  const given = { id: newId('tool'), createdAt: new Date().toISOString(), ...create };
  const tool = deps.toolRegistry.configured(create.kind).schema.parse(given);
  await rejectUnworkable(tool, deps);
  return tool;
}

/** A stored tool with a patch over it, as it would run. Throws a `SettingsError` for what cannot work. */
export async function changedTool(
  tool: ToolSettings,
  patch: ToolPatch,
  deps: Pick<ToolRecordDeps, 'toolRegistry'>,
): Promise<ToolSettings> {
  const changed = patchedOrRejected(tool, patch, deps);
  await rejectUnworkable(changed, deps);
  return changed;
}

async function rejectUnworkable(
  tool: ToolSettings,
  { toolRegistry }: Pick<ToolRecordDeps, 'toolRegistry'>,
): Promise<void> {
  const issues = await toolRegistry.configured(tool.kind).validate(tool);
  if (issues.length > 0) throw new SettingsError('invalid', 'The tool cannot work.', issues);
}

/** The settings after a patch. Throws a `ZodError` when they are not valid, and `ToolSettingsError`. */
function patchedTool(
  tool: ToolSettings,
  patch: ToolPatch,
  { toolRegistry }: Pick<ToolRecordDeps, 'toolRegistry'>,
): ToolSettings {
  const source = toolRegistry.configured(tool.kind);
  return source.schema.parse(patched(tool, { ...source.unmask(tool, patch) }, source.patchedInside));
}

export function recordOf(
  settings: ToolSettings,
  tenantId: string,
  { toolRegistry, secrets }: ToolRecordDeps,
): ToolRecord {
  const { id, agentId, name, createdAt } = settings;
  const split = toolRegistry.configured(settings.kind).splitSecrets(settings);
  const { id: _id, agentId: _agent, name: _name, createdAt: _at, ...config } = split.config as ToolSettings;
  const encrypted =
    split.secrets === null ? null : secrets.encrypt(JSON.stringify(split.secrets), toolContext(id));
  return { id, tenantId, agentId, name, config, secrets: encrypted, createdAt };
}

/** The context that a tool's secrets are encrypted under. */
export const toolContext = (toolId: string): string => `secrets of ${toolId}`;

export function toolDefinition(
  deps: ToolRecordDeps & { readonly settings: SettingsStore },
): ResourceDefinition<ToolRecord, ToolCreate, ToolPatch, ToolView> {
  const { toolRegistry } = deps;
  const { agents, tools } = deps.settings;

  async function rejectTakenName({ id, agentId, name }: ToolRecord): Promise<void> {
    const taken = await tools.list({ where: { agentId, name }, after: null, limit: 2 });
    if (taken.items.some((tool) => tool.id !== id))
      throw invalid(['name'], 'The agent has a tool of this name already.');
  }

  /** The record of a tool that can work. */
  async function namedRecord(tool: ToolSettings, tenantId: string): Promise<ToolRecord> {
    const record = recordOf(tool, tenantId, deps);
    await rejectTakenName(record);
    return record;
  }

  return {
    kind: 'tool',
    nameOf: ({ name }) => name,
    records: tools,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    guarded: ['name', 'config', 'secrets'],
    view(record) {
      const tool = toolOf(record, deps);
      // Each kind views its own settings: the registry does not say of which kind this one is.
      return toolRegistry.configured(tool.kind).view(tool) as ToolView;
    },
    owner: {
      field: 'agentId',
      tenantOf: async ({ agentId }) => (await agents.get(agentId))?.tenantId,
    },
    async create(create, tenantId) {
      return { record: await namedRecord(await newTool(create, deps), tenantId) };
    },
    async patch(record, patch) {
      const tool = await changedTool(toolOf(record, deps), patch, deps);
      const { name, config, secrets } = await namedRecord(tool, record.tenantId);
      return { name, config, secrets };
    },
  };
}

function patchedOrRejected(
  tool: ToolSettings,
  patch: ToolPatch,
  deps: Pick<ToolRecordDeps, 'toolRegistry'>,
): ToolSettings {
  try {
    return patchedTool(tool, patch, deps);
  } catch (error) {
    if (error instanceof ToolSettingsError) throw new SettingsError('invalid', error.message, [error.issue]);
    throw error;
  }
}
