import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { Config } from './config.ts';
import type { Egress } from './egress/egress.ts';
import type { Logger } from './logger.ts';
import { apiKeyFor } from './model/api-key-for.ts';
import { ModelError } from './model/model-error.ts';
import type { Model } from './model/model.ts';
import { type ModelTiming, providerTiming } from './model/model-timing.ts';
import type { Agent } from './settings/agent.ts';
import { isDraftId, isTrialId, publishedId } from './settings/draft-id.ts';
import type { SettingsCache } from './settings/settings-cache.ts';
import type { SessionRecord } from './store/session-store.ts';
import { harmlessTools } from './tool/harmless-tools.ts';
import type { HeldTools, ToolRegistry } from './tool/registry.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { AgentRuntime } from './turn/agent-runtime.ts';

interface AgentDeps {
  readonly settings: SettingsCache;
  readonly egress: Egress;
  readonly providerKeys: Config['providerKeys'];
  readonly toolRegistry: ToolRegistry;
  readonly platform: string;
  /** The address under which this service is known. */
  readonly publicUrl: string;
}

/** Nobody waits a minute for an answer that the fallback has at once. */
const fallbackTiming: ModelTiming = { ...providerTiming, firstChunk: 30_000, retryBudget: 30_000 };

/** By agent, as it was read: a model says the same whoever calls it. */
const models = new WeakMap<Agent, Promise<Model>>();
const fallbacks = new WeakMap<Agent, Promise<Model>>();

/** The agent of a session with its model and its tools, as the settings are now; null when the agent is gone. */
export async function resolveAgent(parts: AgentDeps, session: SessionRecord): Promise<AgentRuntime | null> {
  const agent = await parts.settings.agent(session.agentId);
  if (!agent) return null;
  const [settings, connections] = await Promise.all([
    parts.settings.tools(agent.id),
    parts.settings.connections(agent.id),
  ]);
  const model = await once(models, agent, () => makeModel(parts, agent));
  const fallback = await fallbackOf(parts, agent);
  const { tools: all, release } = await agentTools(parts, agent, settings, connections);
  const tools = isTrialId(agent.id) ? harmlessTools(all) : all;
  const identity = { agentId: agent.id, agentName: agent.name, modelId: model.id };
  const description = { ...identity, [`${parts.platform}Version`]: packageJson.version };
  const configuration = parts.settings.configurationOf(agent, settings, connections);
  const revision = isDraftId(agent.id) ? null : agent.revision;
  return { agent, configuration, revision, model, fallback, tools, description, release };
}

function once(
  made: WeakMap<Agent, Promise<Model>>,
  agent: Agent,
  make: () => Promise<Model>,
): Promise<Model> {
  const known = made.get(agent);
  if (known) return known;
  const model = make();
  made.set(agent, model);
  model.catch(() => made.delete(agent));
  return model;
}

/** Null where it is what the agent has anyway. */
async function fallbackOf(parts: AgentDeps, agent: Agent): Promise<Model | null> {
  const { fallback, model } = agent.settings;
  if (fallback === undefined || model.provider === fallback) return null;
  const settings = { ...agent.settings, model: { provider: fallback, model: fallback } };
  return once(fallbacks, agent, () => makeModel(parts, { ...agent, settings }));
}

/** A model that cannot be made fails the turn that wanted it, not the session. */
async function makeModel(
  { egress, providerKeys }: AgentDeps,
  { settings, credentials }: Agent,
): Promise<Model> {
  const { model, reasoning, temperature, maxOutputTokens, fallback } = settings;
  const apiKey = apiKeyFor(model, credentials, providerKeys);
  try {
    const { createModel } = await import('./model/create-model.ts');
    return await createModel({
      settings: model,
      reasoning,
      temperature,
      maxOutputTokens,
      credentials: { ...credentials, apiKey },
      fetch: egress.fetch,
      ...(fallback && { timing: fallbackTiming }),
    });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return {
      id: model.model,
      // oxlint-disable-next-line require-yield -- it fails before it could say anything
      async *stream() {
        throw error;
      },
    };
  }
}

async function agentTools(
  { toolRegistry, publicUrl }: AgentDeps,
  { id, tenantId, toolSecret, identitySecret, settings: { contacts, teamQuestionMinutes } }: Agent,
  settings: readonly ToolSettings[],
  connections: readonly ConnectionSettings[],
): Promise<HeldTools> {
  const agent = {
    id: publishedId(id),
    tenantId,
    visitorSecret: toolSecret ?? identitySecret,
    serviceUrl: publicUrl,
    connections,
    contacts,
    mayAskTeam: teamQuestionMinutes !== undefined,
  };
  return toolRegistry.hold({ agent, settings });
}

/** Loads the model layer: the first visitor should not wait for it, and being ready should not either. */
export function preloadModels(logger: Logger): void {
  import('./model/ai-sdk.ts').catch((error: unknown) =>
    logger.error({ err: error }, 'The model layer could not be loaded.'),
  );
}
