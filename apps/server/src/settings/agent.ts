import {
  type AgentAnswer,
  type AgentCreate,
  type AgentPatch,
  type AgentSettings,
  agentAnswerSchema,
  agentCreateSchema,
  agentSettingsSchema,
} from '@parley/protocol/settings/agent';
import type { Secrets } from '../secret/secrets.ts';
import type { AgentRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';
import {
  type AgentSecrets,
  credentialAnswer,
  openAgentSecrets,
  patchedCredentials,
  sealAgentSecrets,
  splitCredentials,
} from './credentials.ts';
import { newId } from './id.ts';
import { patched } from './patch.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

/** An agent as a turn uses it. */
export interface Agent extends AgentSecrets {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly active: boolean;
  /** Every default applied; `model` and `identity` carry no credentials. */
  readonly settings: AgentSettings;
}

export async function loadAgent(store: Store, secrets: Secrets, id: string): Promise<Agent | null> {
  const record = await store.settings.agents.get(id);
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
  const { id, tenantId, name, active, config, credentials, createdAt } = record;
  try {
    const settings = agentSettingsSchema.parse({ ...Object(config), id, tenantId, name, active, createdAt });
    return { id, tenantId, name, active, settings, ...openAgentSecrets(secrets, credentials, id) };
  } catch (error) {
    throw new UnreadableRecordError('agent', id, error);
  }
}

export function newAgent(create: AgentCreate, secrets: Secrets): AgentRecord {
  return recordOf(newId('agent'), new Date().toISOString(), create, secrets);
}

/** The record after a patch. Throws a ZodError when the result is not a valid agent. */
export function patchedAgent(agent: Agent, patch: AgentPatch, secrets: Secrets): AgentRecord {
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
  return recordOf(id, createdAt, agentCreateSchema.parse({ ...merged, model }), secrets);
}

/** What the settings API shows: credentials by their last characters only. */
export function agentAnswer(agent: Agent): AgentAnswer {
  const shown = Object.entries(agent.credentials).map(([name, value]) => [name, credentialAnswer(value)]);
  const { identitySecret, toolSecret, settings } = agent;
  return agentAnswerSchema.parse({
    ...settings,
    model: { ...settings.model, ...Object.fromEntries(shown) },
    identity: {
      ...settings.identity,
      ...(identitySecret !== null && { secret: credentialAnswer(identitySecret) }),
      ...(toolSecret !== null && { toolSecret: credentialAnswer(toolSecret) }),
    },
  });
}

function recordOf(id: string, createdAt: string, create: AgentCreate, secrets: Secrets): AgentRecord {
  const { tenantId, name, active, ...rest } = create;
  const { model, credentials } = splitCredentials(rest.model);
  const { secret: identitySecret = null, toolSecret = null, ...identity } = rest.identity;
  const sealed = sealAgentSecrets(secrets, { credentials, identitySecret, toolSecret }, id);
  const config = { ...rest, model, identity };
  return { id, tenantId, name, active, config, credentials: sealed, createdAt };
}

function stripCredentials(model: Record<string, unknown>): Record<string, unknown> {
  const { apiKey: _key, secretAccessKey: _secret, sessionToken: _token, ...rest } = model;
  return rest;
}
