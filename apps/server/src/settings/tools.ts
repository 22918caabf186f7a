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
import {
  type ToolSecrets,
  joinToolSettings,
  maskToolSecrets,
  splitToolSettings,
} from '../tool/tool-secrets.ts';
import { newId } from './id.ts';
import { patched } from './patch.ts';

const secretsSchema = z.record(z.string(), z.string());

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
  const settings = toolSettingsSchema.parse({ ...Object(config), id, agentId, name, createdAt });
  return joinToolSettings(settings, openToolSecrets(record, secrets));
}

export function newTool(create: ToolCreate, tenantId: string, secrets: Secrets): ToolRecord {
  return recordOf({ id: newId('tool'), createdAt: new Date().toISOString(), ...create }, tenantId, secrets);
}

/** The settings after a patch. Throws a ZodError when they are not valid. */
export function patchedTool(tool: ToolSettings, patch: ToolPatch): ToolSettings {
  const { id, createdAt, ...stored } = tool;
  const merged = patched(stored, withoutStaleHeaders(tool, patch), ['request', 'headers']);
  return { id, createdAt, ...toolCreateSchema.parse(merged) };
}

export function recordOf(settings: ToolSettings, tenantId: string, secrets: Secrets): ToolRecord {
  const { config, secrets: opened } = splitToolSettings(settings);
  const { id, agentId, name, createdAt, ...rest } = config;
  const sealed = Object.keys(opened).length > 0 ? secrets.seal(JSON.stringify(opened), context(id)) : null;
  return { id, tenantId, agentId, name, config: rest, secrets: sealed, createdAt };
}

/** What the settings API shows: header values by their last characters only. */
export function toolAnswer(tool: ToolSettings): ToolAnswer {
  const { headers, ...request } = tool.request;
  return toolAnswerSchema.parse({
    ...tool,
    idempotent: tool.idempotent ?? (request.method === 'GET' || request.method === 'HEAD'),
    request: { ...request, ...(headers && { headers: maskToolSecrets(headers) }) },
  });
}

/** A header entered for one host is not kept for another: it may be a secret of the first. */
function withoutStaleHeaders(tool: ToolSettings, patch: ToolPatch): ToolPatch {
  const { url, headers } = patch.request ?? {};
  const sameHost = url === undefined || originOf(url) === originOf(tool.request.url);
  if (sameHost || headers === null) return patch;
  const dropped = Object.keys(tool.request.headers ?? {}).map((name) => [name, null]);
  return { ...patch, request: { ...patch.request, headers: { ...Object.fromEntries(dropped), ...headers } } };
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

function openToolSecrets(record: ToolRecord, secrets: Secrets): ToolSecrets {
  return record.secrets === null
    ? {}
    : secretsSchema.parse(JSON.parse(secrets.open(record.secrets, context(record.id))));
}

const context = (toolId: string): string => `secrets of ${toolId}`;
