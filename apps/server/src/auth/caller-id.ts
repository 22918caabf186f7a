import type { Request } from 'express';
import type { Secrets } from '../crypto/secrets.ts';
import { networkDigest } from '../limit/address.ts';
import type { KeyPrincipal } from './principal.ts';

/**
 * Whose repeats are told the first answer. A visitor's are nobody else's. A publishable key is in everybody's hands, so
 * those who are unknown are told apart by their network: a repeat from another one is a new request.
 */
export function callerId(
  secrets: Pick<Secrets, 'mac'>,
  request: Request,
  { key, visitor }: Pick<KeyPrincipal, 'key' | 'visitor'>,
): string {
  if (visitor !== null) return JSON.stringify([key.id, visitor]);
  return key.kind === 'secret'
    ? key.id
    : JSON.stringify([key.id, null, networkDigest(secrets, request.ip ?? '')]);
}
