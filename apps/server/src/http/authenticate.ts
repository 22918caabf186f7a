import type { Request } from 'express';
import type { Secrets } from '../secret/secrets.ts';
import { type Agent, loadAgent } from '../settings/agent.ts';
import { isKey, keyDigest } from '../settings/key.ts';
import type { KeyRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';
import { bearer, unauthorized } from './bearer.ts';

/** Who calls: the key decides the tenant and the agent. */
export interface Principal {
  readonly key: KeyRecord;
  readonly agent: Agent | null;
  readonly tenantId: string;
}

/** Reads the key from the `Authorization` header only, and asks the store at every request: a revoked key is dead at once. */
export async function authenticate(
  deps: { readonly store: Store; readonly secrets: Secrets },
  request: Request,
): Promise<Principal> {
  const presented = bearer(request);
  const key = presented === null ? null : await findKey(deps.store, presented);
  if (key === null) throw unauthorized();
  const agent = key.agentId === null ? null : await loadAgent(deps.store, deps.secrets, key.agentId);
  return { key, agent: agent?.tenantId === key.tenantId ? agent : null, tenantId: key.tenantId };
}

/** The key's record, or null; what cannot be a key never reaches the store. */
export async function findKey(store: Store, presented: string): Promise<KeyRecord | null> {
  return isKey(presented) ? await store.settings.keys.byDigest(keyDigest(presented)) : null;
}
