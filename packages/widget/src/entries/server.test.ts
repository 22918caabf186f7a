import { expect, test } from 'vitest';
import { signVisitorToken } from './server.ts';

const bytes = (part: string) =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
const decode = (part: string) => JSON.parse(new TextDecoder().decode(bytes(part))) as Record<string, unknown>;

test('a visitor token is a JWT, signed with HS256, for one agent and a short time', async () => {
  const secret = 'a secret of at least thirty-two characters';
  const token = await signVisitorToken({ visitor: 'Zoë 🦊', agentId: 'agt_1', expiresIn: 60 }, secret);
  const [head, body, signature] = token.split('.') as [string, string, string];
  expect(decode(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
  const { sub, aud, iat, exp } = decode(body);
  expect([sub, aud, Number(exp) - Number(iat)]).toEqual(['Zoë 🦊', 'agt_1', 60]);
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const signed = encoder.encode(`${head}.${body}`);
  expect(await crypto.subtle.verify('HMAC', key, bytes(signature), signed)).toBe(true);
});
