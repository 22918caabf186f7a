import { visitorHeaderName } from '@parley/protocol/session-headers';
import type { Config } from './config.ts';
import type { Egress } from './egress/egress.ts';
import { apiKeyFor } from './model/api-key.ts';
import { ModelError } from './model/model-error.ts';
import type { Model } from './model/model.ts';
import type { Secrets } from './secret/secrets.ts';
import { stateOf } from './session/sessions.ts';
import { type Agent, loadAgent } from './settings/agent.ts';
import { loadTools } from './settings/tools.ts';
import type { SessionRecord, Store } from './store/store.ts';
import type { Tool } from './tool/tool.ts';
import type { Equipment } from './turn/session-worker.ts';

interface Parts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly providerKeys: Config['providerKeys'];
  readonly platform: string;
  /** The address under which this service is known. */
  readonly publicUrl: string;
}

/** Fits a session out with its agent, model and tools as the settings are now; null when the agent is gone. */
export async function equip(parts: Parts, session: SessionRecord): Promise<Equipment | null> {
  const agent = await loadAgent(parts.store, parts.secrets, session.agentId);
  if (!agent) return null;
  const mayAsk = session.interface === 'chat' ? agent.settings.approvalsOnChat : stateOf(session).mayAsk;
  const [model, tools] = await Promise.all([
    agentModel(parts, agent),
    agentTools(parts, agent, session, mayAsk),
  ]);
  return { agent, model, tools, asksQuestions: mayAsk };
}

/** A model that cannot be made fails the turn that wanted it, not the session. */
async function agentModel({ egress, providerKeys }: Parts, { settings, credentials }: Agent): Promise<Model> {
  const { model, reasoning, temperature, maxOutputTokens } = settings;
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
  { store, secrets, egress, platform, publicUrl }: Parts,
  { id, tenantId, toolSecret, identitySecret }: Agent,
  session: SessionRecord,
  mayAsk: boolean,
): Promise<Map<string, Tool>> {
  const settings = await loadTools(store, secrets, id);
  const offered = settings.filter(
    ({ interfaces, approval }) => interfaces.includes(session.interface) && (mayAsk || approval === 'never'),
  );
  if (offered.length === 0) return new Map();
  const { httpTool } = await import('./tool/http-tool.ts');
  const visitorHeader = {
    name: visitorHeaderName(platform),
    issuer: publicUrl,
    secret: toolSecret ?? identitySecret,
  };
  return new Map(
    offered.map((tool) => [tool.name, httpTool({ settings: tool, egress, tenantId, visitorHeader })]),
  );
}
