import type { Request, Response } from 'express';
import type { Secrets } from '../secret/secrets.ts';
import type { Asker } from '../session/sessions.ts';
import type { Agent } from '../settings/agent.ts';
import type { KeyRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';
import { addressBucket } from './address.ts';
import { authenticate } from './authenticate.ts';
import type { Cors } from './cors.ts';
import { ProblemError } from './problem.ts';
import type { RequestRate } from './request-rate.ts';
import { visitorOf, visitorUnknown } from './visitor.ts';

export interface CallerDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly cors: Cors;
  readonly platform: string;
  readonly requests: RequestRate;
}

/** Who may speak to an agent: the key, the agent it is bound to, and where the request comes from is allowed. */
export interface Caller {
  readonly key: KeyRecord;
  readonly agent: Agent;
  readonly owner: { readonly tenantId: string; readonly agentId: string };
  /** Who the visitor has proved to be, or null. */
  readonly visitor: string | null;
  /** Unix milliseconds at which their token expires; null without one. */
  readonly visitorUntil: number | null;
  /** The scope under which this agent's limits count the address; null with a secret key, whose address all of a tenant's visitors share. */
  readonly address: string | null;
}

/** The same, as a session is asked for: the tenant's own server may have all of them. */
export function askerOf({ owner, visitor, key }: Caller): Asker {
  return { ...owner, visitor, forAnyVisitor: key.kind === 'secret' && visitor === null };
}

/**
 * Key, then origin, then agent, then the rate of requests, then visitor. Throws 401, 403 `ORIGIN_NOT_ALLOWED`,
 * 403 `NO_AGENT`, 429 `QUOTA_EXCEEDED` or 401 `VISITOR_TOKEN_…`.
 */
export async function admitCaller(deps: CallerDeps, request: Request, response: Response): Promise<Caller> {
  const { key, agent, tenantId } = await authenticate(deps, request);
  deps.cors.admit(request, response, key);
  if (!agent)
    throw new ProblemError('NO_AGENT', 'This key has no agent attached. Attach one in the settings.');
  const address = key.kind === 'secret' ? null : addressOf(deps, request, agent);
  deps.requests.admit({ key, agent, address }, Date.now());
  const verified = await visitorOf(request, { agent, key, platform: deps.platform });
  const { visitor = null, expiresAt: visitorUntil = null } = verified ?? {};
  return { key, agent, owner: { tenantId, agentId: agent.id }, visitor, visitorUntil, address };
}

/**
 * Refuses a stream under a visitor token that has expired, though other requests are given 60 s of leeway: the stream
 * ends with the token, so this one would end at once. A secret key may read without the visitor. Throws 401
 * `VISITOR_TOKEN_INVALID`.
 */
export function refuseExpired({ key, visitorUntil }: Caller): void {
  if (key.kind === 'secret' || visitorUntil === null || visitorUntil > Date.now()) return;
  throw visitorExpired();
}

/** The 401 for a reader whose visitor token expires. */
export function visitorExpired(): ProblemError {
  return visitorUnknown('VISITOR_TOKEN_INVALID', 'The visitor token has expired.');
}

/** As `admitCaller`, for what starts work: 404 `AGENT_INACTIVE` when the agent is switched off. */
export async function admitSpeaker(deps: CallerDeps, request: Request, response: Response): Promise<Caller> {
  const caller = await admitCaller(deps, request, response);
  if (!caller.agent.active) throw new ProblemError('AGENT_INACTIVE', 'This agent is not active.');
  return caller;
}

function addressOf({ secrets }: CallerDeps, request: Request, agent: Agent): string {
  return `${agent.id}/${addressBucket(secrets, request.ip ?? '', Date.now())}`;
}
