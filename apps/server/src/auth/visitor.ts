import { sessionHeaders } from '@parley/protocol/session-headers';
import type { Request } from 'express';
import type { Agent } from '../settings/agent.ts';
import type { KeyRecord } from '../store/settings-store.ts';
import { ProblemError } from '../http/problem.ts';

/** A visitor whose token was verified. `expiresAt` in Unix milliseconds. */
interface VerifiedVisitor {
  readonly visitor: string;
  readonly expiresAt: number;
}

/**
 * The visitor, or null for nobody in particular. A token that does not verify is refused even where none is required:
 * going on as nobody would hide the mistake. A secret key needs none: it is the tenant's own server that asks.
 */
export async function visitorOf(
  request: Request,
  { agent, key, platform }: { agent: Agent; key: KeyRecord; platform: string },
): Promise<VerifiedVisitor | null> {
  const token = request.headers[sessionHeaders(platform).visitorToken];
  if (token === undefined || token === '') {
    if (key.kind === 'secret' || !agent.settings.identity.required) return null;
    throw visitorUnknown('VISITOR_TOKEN_REQUIRED', 'This agent speaks to identified visitors only.');
  }
  // Loaded with the first token: most agents never see one.
  const { verifyVisitorToken } = await import('./visitor-token.ts');
  const verified = await verifyVisitorToken(String(token), agent);
  if (!verified.ok) throw visitorUnknown('VISITOR_TOKEN_INVALID', verified.message);
  return verified;
}

/** The 401 of what only an identified visitor may do. */
export function visitorUnknown(
  code: 'VISITOR_TOKEN_REQUIRED' | 'VISITOR_TOKEN_INVALID',
  message: string,
): ProblemError {
  return new ProblemError(code, message, { headers: { 'www-authenticate': 'Bearer' } });
}
