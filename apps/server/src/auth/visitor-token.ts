import { createSecretKey } from 'node:crypto';
import { errors, importSPKI, jwtVerify, decodeProtectedHeader } from 'jose';
import type { Agent } from '../settings/agent.ts';

const leewaySeconds = 60;
const longestSeconds = 24 * 3_600;
const longestToken = 8_192;
const longestSubject = 255;

export type Verified =
  /** `expiresAt` in Unix milliseconds. */
  { ok: true; visitor: string; expiresAt: number } | { ok: false; message: string };

/**
 * Who a visitor token says the visitor is. The tenant signs it: HS256 with the agent's identity secret, or ES256 with
 * the key whose public half the agent has; which of the two is the agent's choice, never the token's. `aud` is the id
 * of the agent, `exp` at most 24 h ahead (60 s leeway), `sub` the visitor.
 */
export async function verifyVisitorToken(token: string, agent: Agent): Promise<Verified> {
  if (token.length > longestToken) return rejected('is too long');
  try {
    const { alg } = decodeProtectedHeader(token);
    const key = await keyFor(agent, alg);
    if (key === null) return rejected('is signed with an algorithm that this agent has no key for');
    const { payload } = await jwtVerify(token, key, {
      algorithms: [alg === 'ES256' ? 'ES256' : 'HS256'],
      audience: agent.id,
      clockTolerance: leewaySeconds,
      requiredClaims: ['sub', 'exp', 'aud'],
    });
    const { sub, exp = 0 } = payload;
    if (typeof sub !== 'string' || sub === '' || sub.length > longestSubject || sub.includes('\0'))
      return rejected(`has no usable "sub": expected 1-${longestSubject} characters`);
    if (exp > Date.now() / 1000 + longestSeconds + leewaySeconds)
      return rejected('expires more than 24 h ahead');
    return { ok: true, visitor: sub.toWellFormed(), expiresAt: exp * 1000 };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return rejected('has expired');
    if (error instanceof errors.JWTClaimValidationFailed)
      return rejected(`has a wrong or no "${error.claim}"`);
    if (error instanceof errors.JOSEError) return rejected('is not a token that the agent’s key has signed');
    // `decodeProtectedHeader` throws it for what is no JWT at all.
    if (error instanceof TypeError) return rejected('is not a JWT');
    throw error;
  }
}

async function keyFor({ identitySecret, settings }: Agent, alg: string | undefined) {
  const { publicKey } = settings.identity;
  if (alg === 'HS256' && identitySecret !== null) return createSecretKey(identitySecret, 'utf8');
  if (alg === 'ES256' && publicKey !== undefined) return importSPKI(publicKey, 'ES256');
  return null;
}

const rejected = (why: string): Verified => ({ ok: false, message: `The visitor token ${why}.` });
