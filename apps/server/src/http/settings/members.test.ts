import { createHash } from 'node:crypto';
import { consoleHeader } from '@parley/protocol/paths';
import { beforeEach, expect, test } from 'vitest';
import {
  type ConsoleBrowser,
  consoleBrowser,
  consolePassword as password,
  joined,
} from '../../testing/console-browser.ts';
import { type Answer, provision, type TestService, testService } from '../../testing/test-service.ts';

let service: TestService;
let setupLink: string | null;

beforeEach(async () => {
  // The quarter of an hour that guesses are counted in does not pass while they are made.
  const now = Date.now();
  const env = { PUBLIC_URL: 'https://chat.example.com', TRUST_PROXY: '1' };
  service = await testService(env, { clock: () => now });
  setupLink = await service.createSetupLink();
});

const browser = (headers?: Record<string, string>) => consoleBrowser(service, headers);

const tokenOf = (link: string | null) => link?.split('#/invitation/')[1] ?? '';
const owner = () => joined(service, tokenOf(setupLink), 'Ada');

async function invite(ada: ConsoleBrowser, body: object, name: string): Promise<ConsoleBrowser> {
  return joined(service, (await ada('POST', '/invitations', body)).body.token, name);
}

const names = ({ body }: Answer) => body.items.map(({ name }: { name: string }) => name);

test('the setup link makes one owner, once, and none when there is a member', async () => {
  expect(setupLink).toMatch(/^https:\/\/chat\.example\.com\/console#\/invitation\/[\w-]{43}$/);
  const second = await service.createSetupLink();
  const token = tokenOf(setupLink);
  const [one, other] = await Promise.all(
    ['Ada', 'Eve'].map((name) => browser()('POST', '/invitations/accept', { token, name, password })),
  );
  expect(new Set([one?.status, other?.status])).toEqual(new Set([201, 404]));
  const winner = one?.status === 201 ? one : other;
  expect(winner?.body).toMatchObject({ tenantId: null, role: 'owner' });
  // Every start prints one of its own.
  const late = await browser()('POST', '/invitations/accept', {
    token: tokenOf(second),
    name: 'Mallory',
    password,
  });
  expect(late.status).toBe(404);
  expect(await service.createSetupLink()).toBeNull();
});

test('two setup links at once make one owner', async () => {
  const links = [setupLink, await service.createSetupLink()];
  const answers = await Promise.all(
    links.map((link, n) =>
      browser()('POST', '/invitations/accept', { token: tokenOf(link), name: `Owner ${n}`, password }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 404]));
});

test('whoever has a link is told where it leads before they enter anything, and once it is over', async () => {
  const read = (token: string) => browser()('POST', '/invitations/read', { token });
  const setup = await read(tokenOf(setupLink));
  expect(setup.body).toMatchObject({ organisation: null, role: 'owner' });
  const ada = await owner();
  expect((await read(tokenOf(setupLink))).status).toBe(404);
  const { id: tenantId } = (await ada('POST', '/tenants', { name: 'Firm' })).body;
  const { token } = (await ada('POST', '/invitations', { tenantId, role: 'viewer' })).body;
  const offer = { organisation: 'Firm', role: 'viewer', expiresAt: expect.any(String) };
  expect((await read(token)).body).toEqual(offer);
  // Reading it uses nothing up.
  await joined(service, token, 'Grace');
  const used = await read(token);
  expect([used.status, used.body.code]).toEqual([404, 'NOT_FOUND']);
});

test('an invitation that was taken back leads nowhere, like one that never was', async () => {
  const ada = await owner();
  const { id, token } = (await ada('POST', '/invitations', { tenantId: null, role: 'admin' })).body;
  const accept = (link: string) =>
    browser()('POST', '/invitations/accept', { token: link, name: 'Grace', password });
  expect((await ada('DELETE', `/invitations/${id}`)).status).toBe(204);
  const answer = await accept(token);
  expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const unknown = await accept('A'.repeat(43));
  expect({ ...answer.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
  expect(names(await ada('GET', '/members'))).toEqual(['Ada']);
});

test.each(['PATCH', 'DELETE'])(
  'an invitation of an owner who is none any more leads nowhere, and those of others do (%s)',
  async (method) => {
    const ada = await owner();
    const { id: tenantId } = (await ada('POST', '/tenants', { name: 'Firm' })).body;
    const eve = await invite(ada, { tenantId, role: 'owner' }, 'Eve');
    const { id } = (await eve('GET', '/session')).body;
    const links = [];
    for (const each of [eve, ada])
      links.push((await each('POST', '/invitations', { tenantId, role: 'owner' })).body.token);
    const body = method === 'PATCH' ? { role: 'admin' } : undefined;
    expect((await ada(method, `/members/${id}`, body)).status).toBe(method === 'PATCH' ? 200 : 204);
    const accepted = [];
    for (const [index, token] of links.entries())
      accepted.push(
        await browser()('POST', '/invitations/accept', { token, name: `New ${index}`, password }),
      );
    expect(accepted.map(({ status }) => status)).toEqual([404, 201]);
    const [last] = (await ada('GET', `/audit?tenantId=${tenantId}`)).body.items.filter(
      ({ kind, action }: { kind: string; action: string }) => kind === 'invitation' && action === 'deleted',
    );
    expect(last).toMatchObject({ actor: { name: 'Ada' } });
  },
);

test('nobody is named like another but for what cannot be seen', async () => {
  const ada = await owner();
  const { token } = (await ada('POST', '/invitations', { tenantId: null, role: 'viewer' })).body;
  for (const name of ['Ada\u200b', 'A\u00adda', '\u202eAda', 'Ada\u{e0041}', '\uff21da']) {
    const answer = await browser()('POST', '/invitations/accept', { token, name, password });
    expect([answer.status, answer.body.issues?.[0]?.path], JSON.stringify(name)).toEqual([400, ['name']]);
  }
});

test('of two owners who remove each other at once, one stays', async () => {
  const ada = await owner();
  const { id: tenantId } = (await ada('POST', '/tenants', { name: 'Firm' })).body;
  for (const [first, second] of [
    ['PATCH', 'PATCH'],
    ['DELETE', 'DELETE'],
    ['PATCH', 'DELETE'],
  ] as const) {
    const who = await Promise.all(
      ['One', 'Other'].map((name) => invite(ada, { tenantId, role: 'owner' }, name)),
    );
    const [one, other] = await Promise.all(
      who.map(async (each) => ({ browser: each, id: (await each('GET', '/session')).body.id })),
    );
    const body = (method: string) => (method === 'PATCH' ? { role: 'viewer' } : undefined);
    await Promise.all([
      one!.browser(first, `/members/${other!.id}`, body(first)),
      other!.browser(second, `/members/${one!.id}`, body(second)),
    ]);
    const { items } = (await ada('GET', `/members?tenantId=${tenantId}`)).body;
    const left = items as { id: string; role: string }[];
    expect(left.filter(({ role }) => role === 'owner').length, `${first} ${second}`).toBeGreaterThan(0);
    for (const { id } of left) await ada('DELETE', `/members/${id}`);
  }
});

test('who is removed is in the log as they were until then', async () => {
  const ada = await owner();
  const grace = await invite(ada, { tenantId: null, role: 'agent' }, 'Grace');
  const { id } = (await grace('GET', '/session')).body;
  expect((await ada('PATCH', `/members/${id}`, { role: 'admin' })).status).toBe(200);
  expect((await ada('DELETE', `/members/${id}`)).status).toBe(204);
  expect((await ada('DELETE', `/members/${id}`)).status).toBe(404);
  const { items } = (await ada('GET', '/audit')).body;
  const told = items.filter(({ subject }: { subject: { id: string } }) => subject.id === id);
  const actor = expect.objectContaining({ name: 'Ada' });
  expect(told).toMatchObject([
    { action: 'deleted', actor, before: { role: 'admin' }, after: null },
    { action: 'updated', actor, before: { role: 'agent' }, after: { role: 'admin' } },
    { action: 'created' },
  ]);
});

test('sessions that are over are not listed, and a page is full as long as others follow', async () => {
  const ada = await owner();
  const begin = async () => {
    const other = browser();
    await other('POST', '/session', { name: 'ada', password });
  };
  for (let times = 0; times < 4; times++) await begin();
  const rows = await service.stored.sql('SELECT id FROM console_sessions ORDER BY created_at, id');
  const ids = rows.map(({ id }) => String(id));
  for (const over of [ids[1], ids[2], ids[4]])
    await service.stored.sql(
      `UPDATE console_sessions SET expires_at = '2026-01-01T00:00:00.000Z' WHERE id = ?`,
      String(over),
    );
  const page = async (query: string) => {
    const { items, next } = (await ada('GET', `/sessions?${query}`)).body;
    return { ids: items.map(({ id }: { id: string }) => id) as string[], next: next as string | null };
  };
  const first = await page('limit=1');
  expect(first.ids).toEqual([ids[0]]);
  expect(await page(`limit=1&cursor=${first.next}`)).toEqual({ ids: [ids[3]], next: null });
  expect(await page('limit=2')).toEqual({ ids: [ids[0], ids[3]], next: null });
});

test('a session is a cookie that no script and no other site has, and is listed and ended', async () => {
  const ada = await owner();
  const cookie = (await ada('POST', '/session', { name: ' ADA ', password })).headers.getSetCookie().join();
  expect(cookie).toMatch(/^__Host-parley-console=[\w-]{43}; /);
  for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/'])
    expect(cookie).toContain(attribute);
  const elsewhere = browser();
  expect((await elsewhere('POST', '/session', { name: 'ada', password })).status).toBe(200);
  const { items } = (await ada('GET', '/sessions')).body;
  // Signing in again in one browser leaves one session there.
  expect(items.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
  const other = items.find(({ current }: { current: boolean }) => !current);
  expect((await ada('DELETE', `/sessions/${other.id}`)).status).toBe(204);
  expect((await elsewhere('GET', '/session')).status).toBe(204);
  expect((await ada('DELETE', '/session')).status).toBe(204);
  expect((await ada('GET', '/session')).status).toBe(204);
});

test('a name nobody has and a wrong password are answered alike, and guesses end', async () => {
  const ada = await owner();
  const guess = browser();
  const wrong = { name: 'Ada', password: 'wrong horse battery' };
  const first = await guess('POST', '/session', wrong);
  const unknown = await guess('POST', '/session', { ...wrong, name: 'Nobody' });
  expect([first.status, unknown.status]).toEqual([401, 401]);
  expect({ ...unknown.body, requestId: '' }).toEqual({ ...first.body, requestId: '' });
  const from = (n: number) => ({ 'x-forwarded-for': `192.0.2.${n}` });
  const right = { name: 'Ada', password };
  const guesses = (who: ConsoleBrowser, n: number) =>
    Promise.all(Array.from({ length: 10 }, () => who('POST', '/session', wrong, from(n))));
  await guesses(guess, 1);
  const locked = await guess('POST', '/session', right, from(1));
  expect(locked.status).toBe(429);
  expect(locked.body.error).toMatch(/too many attempts to sign in with this name/);
  // Whoever guesses locks the name where they are, and not for a browser in which somebody has signed in with it.
  expect((await browser()('POST', '/session', right, from(2))).status).toBe(200);
  expect((await ada('DELETE', '/session')).status).toBe(204);
  expect((await ada('POST', '/session', right, from(1))).status).toBe(200);
  await guesses(ada, 2);
  expect((await ada('POST', '/session', right, from(2))).status).toBe(429);
});

test('a page of another origin changes nothing with the cookie of a member', async () => {
  const ada = await owner();
  const tries: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { [consoleHeader]: '' },
  ];
  for (const headers of tries) {
    const answer = await ada('POST', '/tenants', { name: 'Evil' }, headers);
    expect([answer.status, answer.body.code], JSON.stringify(headers)).toEqual([403, 'FORBIDDEN']);
    expect((await browser()('POST', '/session', { name: 'Ada', password }, headers)).status).toBe(403);
  }
  expect((await ada('GET', '/tenants')).body.items).toEqual([]);
  const own = { origin: 'https://chat.example.com', 'sec-fetch-site': 'same-origin' };
  expect((await ada('POST', '/tenants', { name: 'Firm' }, own)).status).toBe(201);
});

test('behind a proxy that asks for a password of its own, members are who their session says', async () => {
  const ada = await owner();
  for (const given of [`Basic ${btoa('office:password')}`, 'Negotiate YII=', 'Digest username="office"']) {
    const proxied = { authorization: given };
    expect((await ada('POST', '/tenants', { name: 'Firm' }, proxied)).status).toBe(201);
    expect((await ada('GET', '/tenants', undefined, proxied)).status).toBe(200);
    expect((await browser()('GET', '/tenants', undefined, proxied)).status).toBe(401);
  }
  const unknown = { authorization: `Bearer ${'a'.repeat(40)}` };
  expect((await ada('GET', '/tenants', undefined, unknown)).status).toBe(401);
});

test('what a tenant’s member sees ends where the tenant does', async () => {
  const ada = await owner();
  const one = await provision(service);
  const other = await provision(service);
  const grace = await invite(ada, { tenantId: one.tenantId, role: 'owner' }, 'Grace');
  const linus = await invite(grace, { tenantId: one.tenantId, role: 'viewer' }, 'Linus');
  const { body: tenants } = await linus('GET', '/tenants');
  expect(tenants.items.map(({ id }: { id: string }) => id)).toEqual([one.tenantId]);
  expect((await linus('GET', '/agents')).body.items).toHaveLength(1);
  expect((await linus('GET', `/agents/${other.agentId}`)).status).toBe(404);
  expect((await linus('GET', `/agents?tenantId=${other.tenantId}`)).status).toBe(404);
  expect((await linus('PATCH', `/agents/${one.agentId}`, { name: 'Mine' })).body.code).toBe('FORBIDDEN');
  expect(names(await grace('GET', '/members'))).toEqual(['Grace', 'Linus']);
  expect(names(await ada('GET', '/members'))).toEqual(['Ada', 'Grace', 'Linus']);
  const reach = await grace('POST', '/invitations', { tenantId: null, role: 'viewer' });
  expect([reach.status, reach.body.issues?.[0]?.path]).toEqual([400, ['tenantId']]);

  const [me, linusId] = (await grace('GET', '/members')).body.items.map(({ id }: { id: string }) => id);
  expect((await grace('DELETE', `/members/${me}`)).status).toBe(400);
  expect((await grace('PATCH', `/members/${linusId}`, { role: 'admin' })).status).toBe(200);
  expect((await linus('PATCH', `/agents/${one.agentId}`, { name: 'Mine' })).status).toBe(200);
  expect((await grace('DELETE', `/members/${linusId}`)).status).toBe(204);
  expect((await linus('GET', '/agents')).status).toBe(401);
});

test('a changed password ends every other session, and is stored as a hash alone', async () => {
  const ada = await owner();
  const elsewhere = browser();
  await elsewhere('POST', '/session', { name: 'Ada', password });
  const wrong = await ada('POST', '/session/password', {
    password: 'no',
    newPassword: 'another horse battery',
  });
  expect([wrong.status, wrong.body.issues?.[0]?.path]).toEqual([400, ['password']]);
  const short = await ada('POST', '/session/password', { password, newPassword: 'short' });
  expect(short.body.issues?.[0]).toEqual({
    path: ['newPassword'],
    message: 'Expected at least 12 characters.',
  });
  const change = { password, newPassword: 'another horse battery' };
  expect((await ada('POST', '/session/password', change)).status).toBe(204);
  expect((await ada('GET', '/session')).status).toBe(200);
  expect((await elsewhere('GET', '/session')).status).toBe(204);
  expect((await elsewhere('POST', '/session', { name: 'Ada', password })).status).toBe(401);
  const [stored] = await service.stored.sql('SELECT password_hash AS hash FROM members');
  expect(stored?.['hash']).toMatch(/^\$argon2id\$v=19\$m=7168,t=5,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test('of two who change a password at once, one is told that it is changed', async () => {
  const ada = await owner();
  const elsewhere = browser();
  await elsewhere('POST', '/session', { name: 'Ada', password });
  const chosen = ['the first of two passwords', 'the second of two passwords'];
  const answers = await Promise.all(
    [ada, elsewhere].map((each, n) =>
      each('POST', '/session/password', { password, newPassword: chosen[n] }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]));
  const changed = answers.findIndex(({ status }) => status === 204);
  const signIn = (word: string | undefined) => browser()('POST', '/session', { name: 'Ada', password: word });
  expect((await signIn(chosen[changed])).status).toBe(200);
  expect((await signIn(chosen[1 - changed])).status).toBe(401);
});

test('a changed password ends sessions that began at once, however many they are', async () => {
  const ada = await owner();
  const token = 'A'.repeat(43);
  const columns = 'id, member_id, digest, last_used_at, expires_at, created_at';
  const later = "'2999-01-01T00:00:00.000Z'";
  await service.stored.sql(`
    WITH RECURSIVE numbers (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM numbers WHERE n < 160)
    INSERT INTO console_sessions (${columns})
    SELECT 'session_' || n, member_id, digest || n, last_used_at, expires_at, ${later}
    FROM numbers, console_sessions`);
  const digest = createHash('sha256').update(token).digest('hex');
  await service.stored.sql("UPDATE console_sessions SET digest = ? WHERE id = 'session_160'", digest);
  const last = browser({ cookie: `__Host-parley-console=${token}` });
  expect((await last('GET', '/session')).status).toBe(200);
  await ada('POST', '/session/password', { password, newPassword: 'another horse battery' });
  expect((await last('GET', '/session')).status).toBe(204);
});

test('every change is in the log with who made it and what differs, and no secret', async () => {
  const ada = await owner();
  const { id: tenantId } = (await ada('POST', '/tenants', { name: 'Firm' })).body;
  const canary = 'sk-canary-0123456789';
  const model = { provider: 'openai', model: 'gpt', apiKey: canary };
  const agent = (await ada('POST', '/agents', { tenantId, name: 'Helper', model })).body;
  await ada('PATCH', `/agents/${agent.id}`, { widget: { greeting: 'Hello' }, name: 'Guide' });
  const key = (await ada('POST', '/keys', { tenantId, agentId: agent.id, kind: 'secret' })).body;
  await ada('POST', `/keys/${key.id}/regenerate`);
  await service.settings('DELETE', `/keys/${key.id}`);

  const { body } = await ada('GET', `/audit?tenantId=${tenantId}`);
  const told = body.items.map(
    ({ action, kind, actor }: Entry) => `${actor?.name ?? 'token'} ${action} ${kind}`,
  );
  expect(told).toEqual([
    'token deleted key',
    'Ada updated key',
    'Ada created key',
    'Ada updated agent',
    'Ada created agent',
    'Ada created tenant',
  ]);
  expect(body.items[3]).toMatchObject({
    subject: { id: agent.id, name: 'Guide' },
    before: { name: 'Helper', 'widget.greeting': 'Hi! How can I help?' },
    after: { name: 'Guide', 'widget.greeting': 'Hello' },
  });
  expect(Object.keys(body.items[1].after)).toEqual(['last4']);
  const text = JSON.stringify(body);
  expect(text).not.toContain(canary);
  expect(text).not.toContain(key.key);
  expect(text).toContain('6789');
  expect(service.log.join()).not.toContain(password);

  await ada('DELETE', `/tenants/${tenantId}`);
  const { body: after } = await ada('GET', '/audit?limit=2');
  expect(after.items).toMatchObject([
    { tenantId: null, action: 'deleted', kind: 'tenant', subject: { id: tenantId, name: 'Firm' } },
    { tenantId: null, action: 'created', kind: 'member' },
  ]);
  expect(after.next).toBeNull();
});

interface Entry {
  readonly action: string;
  readonly kind: string;
  readonly actor: { readonly name: string } | null;
}
