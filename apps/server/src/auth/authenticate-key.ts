import type { Route } from '@parley/protocol/route';
import type { Request, Response } from 'express';
import type { Secrets } from '../crypto/secrets.ts';
import type { RequestRate } from '../http/connection/request-rate.ts';
import type { Cors } from '../http/middleware/cors.ts';
import { ProblemError } from '../http/problem.ts';
import { addressBucket } from '../limit/address.ts';
import type { Agent } from '../settings/agent.ts';
import type { SettingsCache } from '../settings/settings-cache.ts';
import { bearer, unauthorized } from './bearer.ts';
import { findKey } from './find-key.ts';
import type { KeyUse } from './key-use.ts';
import type { KeyPrincipal } from './principal.ts';
import { visitorOf, visitorUnknown } from './visitor.ts';

export interface KeyAuthDeps {
  readonly settings: SettingsCache;
  readonly secrets: Secrets;
  readonly cors: Cors;
  readonly platform: string;
  readonly requests: RequestRate;
  readonly keyUse: KeyUse;
}

/** What a route asks for besides a key that is bound to an agent. */
type Demands = Pick<Route, 'activeAgent' | 'visitor' | 'secretKey'>;

/**
 * Key, then origin, then its kind, then agent, then the rate of requests, then visitor. Throws 401, 403 `ORIGIN_NOT_ALLOWED`,
 * 403 `FORBIDDEN`, 403 `NO_AGENT`, 429 `QUOTA_EXCEEDED`, 401 `VISITOR_TOKEN_…` or 404 `AGENT_INACTIVE`.
 */
export async function authenticateKey(
  deps: KeyAuthDeps,
  { activeAgent, visitor: wanted, secretKey }: Demands,
  request: Request,
  response: Response,
): Promise<KeyPrincipal> {
  const { settings, platform } = deps;
  // From the header only: an address is logged, and shared.
  const presented = bearer(request);
  const key = presented === null ? null : await findKey(settings, presented);
  if (key === null) throw unauthorized();
  const agent = key.agentId === null ? null : await settings.agent(key.agentId);
  deps.cors.admit(request, response, key);
  if (secretKey && key.kind !== 'secret')
    throw new ProblemError(
      'FORBIDDEN',
      'This takes a secret key (sk_live_…). A publishable key stands in pages, where anybody can read it.',
    );
  if (agent?.tenantId !== key.tenantId)
    throw new ProblemError('NO_AGENT', 'This key has no agent attached. Attach one in the settings.');
  const address = key.kind === 'secret' ? null : addressOf(deps, request, agent);
  deps.requests.admit({ key, agent, address }, Date.now());
  deps.keyUse.note(key, Date.now());
  const verified = await visitorOf(request, { agent, key, platform });
  if (activeAgent === true && !agent.active) throw agentInactive(agent);
  if (wanted === 'required' && verified === null)
    throw visitorUnknown('VISITOR_TOKEN_REQUIRED', 'This needs a visitor token.');
  const { visitor = null, expiresAt: visitorUntil = null } = verified ?? {};
  const bound = { key, agent, owner: { tenantId: key.tenantId, agentId: agent.id }, visitor, visitorUntil };
  const principal: KeyPrincipal =
    address === null
      ? { kind: 'secret-key', ...bound, address }
      : { kind: 'publishable-key', ...bound, address };
  if (wanted === 'unexpired') rejectExpired(principal);
  return principal;
}

/**
 * Rejects a stream under a visitor token that has expired, though other requests are given 60 s of leeway: the stream
 * ends with the token, so this one would end at once. A secret key may read without the visitor. Throws 401
 * `VISITOR_TOKEN_INVALID`.
 */
export function rejectExpired({ kind, visitorUntil }: KeyPrincipal): void {
  if (kind === 'secret-key' || visitorUntil === null || visitorUntil > Date.now()) return;
  throw visitorExpired();
}

/** The 401 for a reader whose visitor token expires. */
export function visitorExpired(): ProblemError {
  return visitorUnknown('VISITOR_TOKEN_INVALID', 'The visitor token has expired.');
}

/** The 404 for what an agent is asked that is switched off. */
export function agentInactive({ settings }: Agent): ProblemError {
  return new ProblemError('AGENT_INACTIVE', 'This agent is not active.', { notice: settings.pauseMessage });
}

function addressOf({ secrets }: KeyAuthDeps, request: Request, agent: Agent): string {
  return `${agent.id}/${addressBucket(secrets, request.ip ?? '', Date.now())}`;
}
