import { randomBytes } from 'node:crypto';

export function newId(
  kind:
    | 'tenant'
    | 'agent'
    | 'key'
    | 'tool'
    | 'source'
    | 'connection'
    | 'invitation'
    | 'session'
    | 'passkey'
    | 'contact'
    | 'webhook'
    | 'delivery',
): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
