import { randomBytes } from 'node:crypto';

export function newId(
  kind: 'tenant' | 'agent' | 'key' | 'tool' | 'source' | 'invitation' | 'session',
): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
