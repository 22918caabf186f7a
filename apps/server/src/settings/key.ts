import {
  defaultTurnsPerMinute,
  type KeyCreate,
  type KeyPatch,
  type KeyView,
  keyViewSchema,
} from '@parley/protocol/settings/key';
import { createKey, keyDigest } from '../auth/create-key.ts';
import { sharedSuffix } from '../auth/origins.ts';
import type { KeyRecord, SettingsStore } from '../store/settings-store.ts';
import { turnsPerMinute } from '../limit/turns-per-minute.ts';
import { newId } from './id.ts';
import type { ResourceDefinition } from './resource.ts';
import { dangling, invalid, SettingsError } from './settings-error.ts';

/** The record of a new key, and the key itself, which a secret key's record does not hold. */
function newKey(create: KeyCreate): { record: KeyRecord; key: string } {
  const { material, key } = newMaterial(create.kind);
  const { tenantId, agentId, kind, label, allowedOrigins, allowMissingOrigin, turnsPerMinute } = create;
  const createdAt = new Date().toISOString();
  const origins = { allowedOrigins, allowMissingOrigin };
  const bound = { tenantId, agentId, kind, label, ...origins, turnsPerMinute, createdAt };
  return { record: { id: newId('key'), ...bound, ...material }, key };
}

/** What a key's record keeps of it. */
export function newMaterial(kind: KeyRecord['kind']): {
  material: Pick<KeyRecord, 'digest' | 'publicKey' | 'last4' | 'lastUsedAt'>;
  key: string;
} {
  const key = createKey(kind);
  const publicKey = kind === 'publishable' ? key : null;
  return { material: { digest: keyDigest(key), publicKey, last4: key.slice(-4), lastUsedAt: null }, key };
}

/** `key` is given right after it was made; a publishable key is always shown. */
export function keyView(record: KeyRecord, key: string | null = record.publicKey): KeyView {
  const { digest: _digest, publicKey: _publicKey, label, ...shown } = record;
  return keyViewSchema.parse({
    ...shown,
    label: label ?? '',
    turnsPerMinute: turnsPerMinute(record),
    ...(key !== null && { key }),
  });
}

export function keyDefinition({
  tenants,
  agents,
  keys,
}: SettingsStore): ResourceDefinition<KeyRecord, KeyCreate, KeyPatch, KeyView> {
  async function requireAgentOf(tenantId: string, agentId: string): Promise<void> {
    if ((await agents.get(agentId))?.tenantId !== tenantId) throw dangling('agentId');
  }

  return {
    kind: 'key',
    nameOf: ({ label }) => label,
    records: keys,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    view: (record) => keyView(record),
    owner: {
      field: 'tenantId',
      tenantOf: async ({ tenantId }) => (await tenants.get(tenantId))?.id,
    },
    async create(create, tenantId) {
      rejectPublicSuffix(create.allowedOrigins);
      rejectRate(create.kind, create.turnsPerMinute);
      if (create.agentId !== null) await requireAgentOf(tenantId, create.agentId);
      const { record, key } = newKey(create);
      return { record, view: keyView(record, key) };
    },
    async patch({ tenantId, kind }, { agentId, label, allowedOrigins, allowMissingOrigin, turnsPerMinute }) {
      rejectPublicSuffix(allowedOrigins ?? []);
      rejectRate(kind, turnsPerMinute ?? null);
      if (typeof agentId === 'string') await requireAgentOf(tenantId, agentId);
      return {
        ...(agentId !== undefined && { agentId }),
        ...(label !== undefined && { label }),
        ...(allowedOrigins !== undefined && { allowedOrigins: allowedOrigins ?? [] }),
        ...(turnsPerMinute !== undefined && { turnsPerMinute }),
        ...(allowMissingOrigin !== undefined && { allowMissingOrigin: allowMissingOrigin ?? true }),
      };
    },
  };
}

/** Anybody may use a publishable key: its turns a minute are what the Chat interface promises. */
function rejectRate(kind: KeyRecord['kind'], rate: number | null): void {
  if (kind === 'secret' || rate === null || rate === defaultTurnsPerMinute) return;
  throw invalid(['turnsPerMinute'], `A publishable key has ${defaultTurnsPerMinute} turns a minute.`);
}

/** Sites below a public suffix are anybody's: a key that lists them all lists everybody. */
function rejectPublicSuffix(origins: readonly string[]): void {
  const issues = origins.flatMap((origin, index) => {
    const suffix = sharedSuffix(origin);
    if (suffix === null) return [];
    const message = `Anybody can have a site below ${suffix}. List your own, such as https://shop.${suffix}.`;
    return [{ path: ['allowedOrigins', index], message }];
  });
  if (issues.length > 0) throw new SettingsError('invalid', 'The origins are anybody’s.', issues);
}
