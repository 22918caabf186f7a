import { type KeyAnswer, type KeyCreate, keyAnswerSchema } from '@parley/protocol/settings/key';
import type { KeyRecord } from '../store/settings-store.ts';
import { newId } from './id.ts';
import { createKey, keyDigest } from './key.ts';

/** The record of a new key, and the key itself, which a secret key's record does not hold. */
export function newKey(create: KeyCreate): { record: KeyRecord; key: string } {
  const { material, key } = newMaterial(create.kind);
  const { tenantId, agentId, kind, label, allowedOrigins, allowMissingOrigin } = create;
  const createdAt = new Date().toISOString();
  const bound = { tenantId, agentId, kind, label, allowedOrigins, allowMissingOrigin, createdAt };
  return { record: { id: newId('key'), ...bound, ...material }, key };
}

/** What a key's record keeps of it. */
export function newMaterial(kind: KeyRecord['kind']): {
  material: Pick<KeyRecord, 'digest' | 'publicKey' | 'last4'>;
  key: string;
} {
  const key = createKey(kind);
  const publicKey = kind === 'publishable' ? key : null;
  return { material: { digest: keyDigest(key), publicKey, last4: key.slice(-4) }, key };
}

/** `key` is given right after it was made; a publishable key is always shown. */
export function keyAnswer(record: KeyRecord, key: string | null = record.publicKey): KeyAnswer {
  const { digest: _digest, publicKey: _publicKey, label, ...shown } = record;
  return keyAnswerSchema.parse({ ...shown, label: label ?? '', ...(key !== null && { key }) });
}
