import { expect, test } from 'vitest';
import { createKey } from '../../auth/create-key.ts';
import { type Answer, provision, testService } from '../../testing/test-service.ts';

const listed = 'https://shop.example';
const path = '/parley/v1/session';

async function site(fields: Record<string, unknown> = { allowedOrigins: [listed] }) {
  const service = await testService({
    PUBLIC_URL: 'https://chat.example',
    EMBED_URL: 'https://embed.example',
  });
  const bound = await provision(service);
  const key = await service.settings('POST', '/keys', { ...bound, kind: 'publishable', ...fields });
  const secret = await service.settings('POST', '/keys', { ...bound, kind: 'secret' });
  /** An invalid body: what matters is whether it gets as far as the 400. */
  const post = (key: string, headers: Record<string, string> = {}): Promise<Answer> =>
    service.call(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  const preflight = (origin: string, at = path): Promise<Answer> =>
    service.call(at, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
  return { service, bound, key: key.body.key, secret: secret.body.key, post, preflight };
}

const allowed = (answer: Answer): string | null => answer.headers.get('access-control-allow-origin');

test('a preflight is granted to an origin that some publishable key lists, and to no other', async () => {
  const { preflight } = await site();
  const granted = await preflight(listed);
  expect(granted.status).toBe(204);
  expect(allowed(granted)).toBe(listed);
  expect(granted.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
  expect(granted.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(granted.headers.get('access-control-allow-headers')).toContain('x-parley-filename');
  expect(granted.headers.get('access-control-max-age')).toBe('600');
  expect(granted.headers.get('access-control-allow-credentials')).toBe(null);
  for (const origin of ['https://evil.example', 'null', 'http://shop.example']) {
    const refused = await preflight(origin);
    expect(allowed(refused)).toBe(null);
    expect(refused.headers.get('vary')).toBe('Origin');
  }
  expect(allowed(await preflight('https://embed.example'))).toBe('https://embed.example');
});

test('an origin listed by another key passes the preflight and is refused by the request, without CORS headers', async () => {
  const { service, bound, key, post, preflight } = await site();
  const other = 'https://other.example';
  await service.settings('POST', '/keys', { ...bound, kind: 'publishable', allowedOrigins: [other] });
  expect(allowed(await preflight(other))).toBe(other);
  const refused = await post(key, { origin: other });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ ok: false, code: 'ORIGIN_NOT_ALLOWED' });
  expect(refused.body.error).toContain(other);
  expect(allowed(refused)).toBe(null);
  expect(refused.headers.get('vary')).toBe('Origin');
});

test('errors of an allowed origin can be read by its page', async () => {
  const { key, post, service } = await site();
  const invalid = await post(key, { origin: listed });
  expect(invalid.status).toBe(400);
  expect(allowed(invalid)).toBe(listed);
  expect(invalid.headers.get('access-control-expose-headers')).toContain('x-parley-session-id');
  expect(invalid.headers.get('access-control-expose-headers')).toContain('date');
  const unknown = await post(createKey('publishable'), { origin: listed });
  expect(unknown.status).toBe(401);
  expect(allowed(unknown)).toBe(listed);
  const method = await service.call(path, { method: 'PUT', headers: { origin: listed } });
  expect(method.status).toBe(405);
  expect(allowed(method)).toBe(listed);
});

test('an answer to a secret key never carries CORS headers', async () => {
  const { secret, post } = await site();
  const answer = await post(secret, { origin: listed });
  expect(answer.status).toBe(400);
  expect(allowed(answer)).toBe(null);
});

test.each([
  [{ allowedOrigins: ['*'] }, 'https://any.example', 400],
  [{ allowedOrigins: ['*'] }, 'null', 403],
  [{ allowedOrigins: ['https://*.shop.example'] }, 'https://www.shop.example', 400],
  [{ allowedOrigins: ['https://*.shop.example'] }, 'https://a.b.shop.example', 400],
  [{}, listed, 403],
  [{}, 'https://chat.example', 400],
  [{}, undefined, 400],
  [{ allowMissingOrigin: false }, undefined, 403],
])('a key with %j, from %s: %i', async (fields, origin, status) => {
  const { key, post } = await site(fields);
  const answer = await post(key, origin === undefined ? {} : { origin });
  expect(answer.status).toBe(status);
});

test('a key that wants an origin accepts the GET of a page of the service, which carries none', async () => {
  const { key, service } = await site({ allowMissingOrigin: false });
  const answer = await service.call(`${path}/none/stream`, {
    headers: { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' },
  });
  expect(answer.status).not.toBe(403);
});

test('an origin added to a key is granted at once', async () => {
  const { service, preflight } = await site();
  const added = 'https://late.example';
  expect(allowed(await preflight(added))).toBe(null);
  const { body } = await service.settings('GET', '/keys');
  await service.settings('PATCH', `/keys/${body.items[0].id}`, { allowedOrigins: [added] });
  expect(allowed(await preflight(added))).toBe(added);
});

test('the settings API is never open to another origin', async () => {
  const { preflight } = await site();
  expect(allowed(await preflight(listed, '/api/v1/settings/tenants'))).toBe(null);
});
