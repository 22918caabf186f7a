import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';

/** Seconds: long enough for a clock that is a little off, too short to be of use to whoever reads it in a log. */
const lifetime = 60;

/** How the far side of a tool learns for whom it is called. */
export interface VisitorHeader {
  readonly name: string;
  /** The address of this service. */
  readonly issuer: string;
  /** Signs the header; null: the agent has no secret, and the header is not sent. */
  readonly secret: string | null;
}

interface VisitorCall {
  readonly visitor: string;
  /** A digest of the session's id. */
  readonly session: string;
  readonly callId: string;
  /** The tool's address. */
  readonly url: string;
}

/** The header's value: a JWT (HS256) for this one call. */
export async function signVisitorHeader(
  { issuer }: VisitorHeader,
  secret: string,
  { visitor, session, callId, url }: VisitorCall,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ session, call: callId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(new URL(url).origin)
    .setSubject(visitor)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .sign(createSecretKey(secret, 'utf8'));
}
