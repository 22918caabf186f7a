import { SignJWT } from 'jose';

export const identitySecret = 'a secret that only the firm and the service know';
export const visitorTokenHeader = 'x-parley-visitor-token';

interface Claims {
  readonly secret?: string;
  readonly alg?: string;
  readonly sub?: unknown;
  readonly aud?: unknown;
  /** Seconds from now. */
  readonly expiresIn?: number | null;
  readonly more?: Record<string, unknown>;
}

/** A token as the firm's server signs it; what is given replaces what would be right. */
export function visitorToken(agentId: string, claims: Claims = {}): Promise<string> {
  const {
    secret = identitySecret,
    alg = 'HS256',
    sub = 'ada',
    aud = agentId,
    expiresIn = 3_600,
    more,
  } = claims;
  const exp = expiresIn === null ? {} : { exp: Math.floor(Date.now() / 1000) + expiresIn };
  return new SignJWT({ ...(sub !== null && { sub }), ...(aud !== null && { aud }), ...exp, ...more } as never)
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(secret));
}

/** The header that says who the visitor is. */
export async function as(agentId: string, sub: string): Promise<Record<string, string>> {
  return { [visitorTokenHeader]: await visitorToken(agentId, { sub }) };
}
