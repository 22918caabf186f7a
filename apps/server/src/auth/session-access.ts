import type { SessionAccess } from '../session/session-access.ts';
import type { KeyPrincipal } from './principal.ts';

/** Which sessions exist for whoever asks: the tenant's own server may have those of all visitors. */
export function sessionAccess({ kind, owner, visitor }: KeyPrincipal): SessionAccess {
  return { ...owner, visitor, forAnyVisitor: kind === 'secret-key' && visitor === null };
}
