export type VisitorClaims = {
  /** Who the visitor is to the tenant: an id, never an e-mail address alone. */
  visitor: string;
  /** The id of the agent the token is for. */
  agentId: string;
  /** Seconds from now, at most a day. */
  expiresIn?: number;
};

/** A visitor token, signed with the agent's identity secret. On the tenant's server only: the secret stays there. */
export async function signVisitorToken(
  { visitor, agentId, expiresIn = 900 }: VisitorClaims,
  secret: string,
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const head = encode({ alg: 'HS256', typ: 'JWT' });
  const body = encode({ sub: visitor, aud: agentId, iat: now, exp: now + expiresIn });
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${head}.${body}`));
  return `${head}.${body}.${base64url(new Uint8Array(signature))}`;
}

const encode = (value: object) => base64url(new TextEncoder().encode(JSON.stringify(value)));

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
