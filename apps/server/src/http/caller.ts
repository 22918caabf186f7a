import type { Request, Response } from 'express';
import type { Secrets } from '../secret/secrets.ts';
import type { Agent } from '../settings/agent.ts';
import type { KeyRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';
import { authenticate } from './authenticate.ts';
import type { Cors } from './cors.ts';
import { ProblemError } from './problem.ts';

export interface CallerDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly cors: Cors;
}

/** Who may speak to an agent: the key, the agent it is bound to, and where the request comes from is allowed. */
export interface Caller {
  readonly key: KeyRecord;
  readonly agent: Agent;
  readonly owner: { readonly tenantId: string; readonly agentId: string };
}

/** Key, then origin, then agent. Throws 401, 403 `ORIGIN_NOT_ALLOWED` or 403 `NO_AGENT`. */
export async function admitCaller(deps: CallerDeps, request: Request, response: Response): Promise<Caller> {
  const { key, agent, tenantId } = await authenticate(deps, request);
  deps.cors.admit(request, response, key);
  if (!agent)
    throw new ProblemError('NO_AGENT', 'This key has no agent attached. Attach one in the settings.');
  return { key, agent, owner: { tenantId, agentId: agent.id } };
}

/** As `admitCaller`, for what starts work: 404 `AGENT_INACTIVE` when the agent is switched off. */
export async function admitSpeaker(deps: CallerDeps, request: Request, response: Response): Promise<Caller> {
  const caller = await admitCaller(deps, request, response);
  if (!caller.agent.active) throw new ProblemError('AGENT_INACTIVE', 'This agent is not active.');
  return caller;
}
