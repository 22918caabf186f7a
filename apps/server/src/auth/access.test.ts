import type { Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { expect, test } from 'vitest';
import { createKey } from './create-key.ts';
import { provision, testService } from '../testing/test-service.ts';

const table: readonly Route[] = routes('parley');
const guarded = table.filter(({ principal }) => principal !== 'anyone' && principal !== 'browser');
const settings = guarded.filter(({ principal }) => principal === 'settings');

/** Every credential that must not open a route that asks for another. */
async function strangers() {
  const service = await testService({ ADMIN_TOKEN: 'the-admin-token-of-this-one-test' });
  const bound = await provision(service);
  const made = async (kind: string) => (await service.settings('POST', '/keys', { ...bound, kind })).body;
  const [secret, publishable, revoked] = [
    await made('secret'),
    await made('publishable'),
    await made('secret'),
  ];
  await service.settings('DELETE', `/keys/${revoked.id}`);
  const nobody: Record<string, string | undefined> = {
    'no header': undefined,
    'another scheme': `Basic ${btoa('a:b')}`,
    'no token': 'Bearer ',
    'two tokens': `Bearer ${secret.key} ${secret.key}`,
    'an unknown key': `Bearer ${createKey('secret')}`,
    'a malformed key': 'Bearer sk_live_short',
    'a key with a wrong checksum': `Bearer ${secret.key.slice(0, -1)}${secret.key.endsWith('a') ? 'b' : 'a'}`,
    'a revoked key': `Bearer ${revoked.key}`,
    'a long token': `Bearer ${'a'.repeat(600)}`,
  };
  const admin = { 'the admin token': `Bearer ${service.adminToken}` };
  const keys = { 'a secret key': `Bearer ${secret.key}`, 'a publishable key': `Bearer ${publishable.key}` };
  return { service, nobody, admin, keys };
}

test('no route that names a principal opens to anybody else, and all refusals of a kind are alike', async () => {
  const { service, nobody, admin, keys } = await strangers();
  const refusals = new Map<string, Set<string>>();
  for (const route of guarded) {
    const outsiders = { ...nobody, ...(route.principal === 'key' ? admin : keys) };
    for (const [who, authorization] of Object.entries(outsiders)) {
      const answer = await service.call(route.path.replace(':id', 'x'), {
        method: route.method.toUpperCase(),
        headers: {
          ...(authorization !== undefined && { authorization }),
          'content-type': 'application/json',
        },
        ...(route.body && { body: 'not JSON: the key is looked at first' }),
      });
      expect(answer.status, `${route.method} ${route.path} with ${who}`).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      const { requestId, ...body } = answer.body;
      expect(requestId).toBe(answer.headers.get('x-request-id'));
      const alike = refusals.get(route.principal) ?? new Set();
      refusals.set(route.principal, alike.add(body.error));
      expect(body).toEqual({ ok: false, code: 'UNAUTHORIZED', error: body.error });
    }
  }
  expect(Object.fromEntries(refusals)).toEqual({
    key: new Set([expect.stringContaining('Bearer <key>')]),
    settings: new Set([expect.stringMatching(/Bearer <admin token>.*ADMIN_TOKEN.*\.admin-token/)]),
    member: new Set([expect.stringContaining('signed in')]),
  });
});

test('a key is read from the header only', async () => {
  const { service } = await strangers();
  const token = service.adminToken;
  const path = '/api/v1/settings/tenants';
  for (const query of [`?token=${token}`, `?access_token=${token}`, `?authorization=Bearer%20${token}`])
    expect((await service.call(path + query)).status).toBe(401);
  expect((await service.call(path, { headers: { cookie: `token=${token}` } })).status).toBe(401);
  expect((await service.call(path, { headers: { authorization: `bearer  ${token}` } })).status).toBe(200);
});

test('every path of the interface answers other methods with 405, and names the possible ones', async () => {
  const { service } = await strangers();
  // A literal path such as `session/clear` has the shape of a session's, and its methods.
  const methodsAt = (path: string) =>
    table
      .filter((route) => new RegExp(`^${route.path.replace(/:\w+/, '[^/]+')}$`).test(path))
      .map(({ method }) => method.toUpperCase());
  for (const path of new Set(table.map((route) => route.path))) {
    const methods = new Set(methodsAt(path));
    if (methods.has('GET')) methods.add('HEAD');
    const expected = [...methods].sort().join(', ');
    const answer = await service.call(path.replace(/:\w+/, 'x'), { method: 'PUT' });
    expect(answer.status, path).toBe(405);
    expect(answer.headers.get('allow'), path).toBe(expected);
    expect(answer.body).toMatchObject({ ok: false, code: 'METHOD_NOT_ALLOWED' });
  }
});

test('a settings id that is not there is the same 404 everywhere', async () => {
  const { service } = await strangers();
  for (const { method, path } of settings.filter((route) => route.path.endsWith('/:id'))) {
    const relative = path.replace('/api/v1/settings', '').replace(':id', 'none');
    const answer = await service.settings(
      method.toUpperCase(),
      relative,
      method === 'patch' ? {} : undefined,
    );
    expect(answer.status, `${method} ${path}`).toBe(404);
    expect(answer.body).toMatchObject({
      code: 'NOT_FOUND',
      error: 'There is nothing with this id. It may have been deleted.',
    });
  }
});
