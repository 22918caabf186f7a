import {
  type ToolAnswer,
  type ToolCreate,
  type ToolPatch,
  type ToolSettings,
  toolAnswerSchema,
  toolCreateSchema,
  toolSettingsSchema,
} from '@parley/protocol/settings/tool';
import { z } from 'zod';
import type { Secrets } from '../secret/secrets.ts';
import type { ToolRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';
import { markSecrets } from '../tool/secret-values.ts';
import {
  type ToolSecrets,
  joinToolSettings,
  maskToolSecrets,
  splitToolSettings,
} from '../tool/tool-secrets.ts';
import { newId } from './id.ts';
import { unmaskSecrets } from './unmask-secrets.ts';
import { patched } from './patch.ts';
import { parseSealed } from './parse-sealed.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

const headersSchema = z.record(z.string(), z.string());
const secretsSchema = z.union([
  z.strictObject({ headers: headersSchema, values: z.array(z.string()) }),
  // Sealed by a version in which only headers were secret.
  headersSchema.transform((headers): ToolSecrets => ({ headers, values: [] })),
]);

/** Every tool of an agent as it runs, its secrets opened; oldest first. */
export async function loadTools(store: Store, secrets: Secrets, agentId: string): Promise<ToolSettings[]> {
  const tools: ToolSettings[] = [];
  let after: string | null = null;
  do {
    const page = await store.settings.tools.list({ where: { agentId }, after, limit: 200 });
    for (const record of page.items) tools.push(toolOf(record, secrets));
    after = page.next;
  } while (after !== null);
  return tools;
}

export function toolOf(record: ToolRecord, secrets: Secrets): ToolSettings {
  const { id, agentId, name, config, createdAt } = record;
  try {
    const stored = { ...Object(config), id, agentId, name, createdAt };
    const settings = toolSettingsSchema.parse(joinToolSettings(stored, openToolSecrets(record, secrets)));
    return { ...settings, request: markSecrets(settings.request) };
  } catch (error) {
    throw new UnreadableRecordError('tool', id, error);
  }
}

export function newTool(create: ToolCreate, tenantId: string, secrets: Secrets): ToolRecord {
  return recordOf({ id: newId('tool'), createdAt: new Date().toISOString(), ...create }, tenantId, secrets);
}

/** The settings after a patch. Throws a ZodError when they are not valid, and `UnknownSecretError`. */
export function patchedTool(tool: ToolSettings, patch: ToolPatch): ToolSettings {
  const { id, createdAt, ...stored } = tool;
  const merged = patched(stored, unmaskSecrets(tool, patch), ['request', 'headers']);
  return { id, createdAt, ...toolCreateSchema.parse(merged) };
}

export function recordOf(settings: ToolSettings, tenantId: string, secrets: Secrets): ToolRecord {
  const request = markSecrets(settings.request);
  const { config, secrets: opened } = splitToolSettings({ ...settings, request });
  const { id, agentId, name, createdAt, ...rest } = config;
  const none = Object.keys(opened.headers).length + opened.values.length === 0;
  const sealed = none ? null : secrets.seal(JSON.stringify(opened), toolContext(id));
  return { id, tenantId, agentId, name, config: rest, secrets: sealed, createdAt };
}

/** What the settings API shows: header values and secrets by their last characters only. */
export function toolAnswer(tool: ToolSettings): ToolAnswer {
  const { method } = tool.request;
  return toolAnswerSchema.parse({
    ...tool,
    idempotent: tool.idempotent ?? (method === 'GET' || method === 'HEAD'),
    request: maskToolSecrets(tool.request),
  });
}

function openToolSecrets(record: ToolRecord, secrets: Secrets): ToolSecrets {
  if (record.secrets === null) return { headers: {}, values: [] };
  return parseSealed(secretsSchema, secrets.open(record.secrets, toolContext(record.id)));
}

/** The context that a tool's secrets are sealed under. */
export const toolContext = (toolId: string): string => `secrets of ${toolId}`;
