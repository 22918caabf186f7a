import {
  type AgentView,
  type AgentCreate,
  type AgentPatch,
  type AgentSettings,
  agentViewSchema,
  agentCreateSchema,
  agentSettingsSchema,
} from '@parley/protocol/settings/agent';
import { type ModelPatch, type ModelSettings, modelSettingsSchema } from '@parley/protocol/settings/model';
import type { Secrets } from '../crypto/secrets.ts';
import { scriptProblem } from '../model/scripted/script-problem.ts';
import type { AgentRecord } from '../store/agent-record.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import {
  type AgentSecrets,
  type Credentials,
  credentialView,
  decryptAgentSecrets,
  patchedCredentials,
  encryptAgentSecrets,
  splitCredentials,
} from './credentials.ts';
import { patched } from './patch.ts';
import { rejectLargePicture } from './reject-large-picture.ts';
import { invalid } from './settings-error.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

/** An agent as a turn uses it. */
export interface Agent extends AgentSecrets {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly active: boolean;
  /** Counts what was published of it; a draft has that of what is live. */
  readonly revision: number;
  /** Every default applied; `model` and `identity` carry no credentials. */
  readonly settings: AgentSettings;
}

export async function loadAgent(
  settings: SettingsStore,
  secrets: Secrets,
  id: string,
): Promise<Agent | null> {
  const record = await settings.agents.get(id);
  return record === null ? null : agentOf(record, secrets);
}

/** Stores give the same record for as long as it does not change, and a turn asks for its agent three times. */
const agents = new WeakMap<AgentRecord, Agent>();

/** Throws `UnreadableRecordError`. */
export function agentOf(record: AgentRecord, secrets: Secrets): Agent {
  const known = agents.get(record);
  if (known) return known;
  const agent = openAgent(record, secrets);
  agents.set(record, agent);
  return agent;
}

function openAgent(record: AgentRecord, secrets: Secrets): Agent {
  const { id, tenantId, name, active, config, credentials, revision, createdAt } = record;
  try {
    const settings = agentSettingsSchema.parse({ ...Object(config), id, tenantId, name, active, createdAt });
    return {
      id,
      tenantId,
      name,
      active,
      revision,
      settings,
      ...decryptAgentSecrets(secrets, credentials, id),
    };
  } catch (error) {
    throw new UnreadableRecordError('agent', id, error);
  }
}

/** The model of an agent as it would be after a patch, and its credentials. */
export function changedModel(
  { settings, credentials }: Agent,
  patch: ModelPatch,
): { readonly model: ModelSettings; readonly credentials: Credentials } {
  const model = modelSettingsSchema.parse(stripCredentials({ ...patch }));
  rejectBadScript(model);
  return { model, credentials: patchedCredentials({ model: settings.model, credentials }, patch) };
}

/** The record after a patch. Throws a ZodError when the result is not a valid agent. */
function patchedAgent(agent: Agent, patch: AgentPatch, secrets: Secrets): AgentRecord {
  const { id, createdAt, ...stored } = agent.settings;
  const credentials = patch.model
    ? patchedCredentials({ model: agent.settings.model, credentials: agent.credentials }, patch.model)
    : agent.credentials;
  const { identitySecret, toolSecret } = agent;
  const identity = {
    ...stored.identity,
    ...(identitySecret !== null && { secret: identitySecret }),
    ...(toolSecret !== null && { toolSecret }),
  };
  const merged = patched({ ...stored, identity }, patch, [
    'reasoning',
    'limits',
    'widget',
    'files',
    'identity',
  ]);
  const model = { ...stripCredentials(Object(merged['model'])), ...credentials };
  const created = { id, revision: agent.revision, createdAt };
  return recordOf(created, agentCreateSchema.parse({ ...merged, model }), secrets);
}

/** What the settings API shows: credentials by their last characters only. */
export function agentView(agent: Agent): AgentView {
  const shown = Object.entries(agent.credentials).map(([name, value]) => [name, credentialView(value)]);
  const { identitySecret, toolSecret, settings } = agent;
  return agentViewSchema.parse({
    ...settings,
    revision: agent.revision,
    model: { ...settings.model, ...Object.fromEntries(shown) },
    identity: {
      ...settings.identity,
      ...(identitySecret !== null && { secret: credentialView(identitySecret) }),
      ...(toolSecret !== null && { toolSecret: credentialView(toolSecret) }),
    },
  });
}

export function recordOf(
  { id, revision, createdAt }: Pick<AgentRecord, 'id' | 'revision' | 'createdAt'>,
  create: AgentCreate,
  secrets: Secrets,
): AgentRecord {
  const { tenantId, name, active, ...rest } = create;
  const { model, credentials } = splitCredentials(rest.model);
  const { secret: identitySecret = null, toolSecret = null, ...identity } = rest.identity;
  const encrypted = encryptAgentSecrets(secrets, { credentials, identitySecret, toolSecret }, id);
  const config = { ...rest, model, identity };
  return { id, tenantId, name, active, config, credentials: encrypted, revision, createdAt };
}

function stripCredentials(model: Record<string, unknown>): Record<string, unknown> {
  const { apiKey: _key, secretAccessKey: _secret, sessionToken: _token, ...rest } = model;
  return rest;
}

/** The record after a patch. Throws what is wrong with it. */
export async function patchAgent(agent: Agent, patch: AgentPatch, secrets: Secrets): Promise<AgentRecord> {
  if (patch.model?.provider === 'scripted') rejectBadScript(patch.model);
  // One that is stored already is sent back with the whole of what was read.
  if (patch.widget?.avatar !== agent.settings.widget.avatar) rejectLargeAvatar(patch.widget);
  const after = patchedAgent(agent, patch, secrets);
  const { identitySecret, settings } = agentOf(after, secrets);
  await rejectBadIdentity({ ...settings.identity, secret: identitySecret ?? undefined });
  return after;
}

export function rejectLargeAvatar(
  widget: { readonly avatar?: string | null | undefined } | null | undefined,
): void {
  if (widget?.avatar != null) rejectLargePicture(['widget', 'avatar'], widget.avatar);
}

export function rejectBadScript(model: ModelSettings): void {
  const problem = model.provider === 'scripted' ? scriptProblem(model.script) : undefined;
  if (problem !== undefined) throw invalid(['model', 'script'], problem);
}

/** A key nobody can sign for, or none where one is required, would lock every visitor out. */
export async function rejectBadIdentity(identity: {
  readonly secret?: string | undefined;
  readonly publicKey?: string | undefined;
  readonly required: boolean;
}): Promise<void> {
  const { secret, publicKey, required } = identity;
  if (publicKey !== undefined) {
    const { isVisitorKey } = await import('../auth/visitor-key.ts');
    if (!(await isVisitorKey(publicKey)))
      throw invalid(['identity', 'publicKey'], 'Expected a public key on the curve P-256.');
  }
  if (required && secret === undefined && publicKey === undefined)
    throw invalid(['identity', 'required'], 'Expected a secret or a public key to verify tokens with.');
}
