import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { type Answer, request } from '../testing/test-service.ts';
import { as, identitySecret, visitorToken, visitorTokenHeader } from '../testing/visitor-token.ts';
import { type SharedService, type TestAgent, Visitor, said, sharedService } from '../testing/visitor.ts';

const script = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 2000, delayMs: 20 }] },
  { steps: [{ say: '{{input}}' }] },
];
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKey = p256.publicKey.export({ type: 'spki', format: 'pem' }).toString();

let service: SharedService;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent(script, { agent: { identity: { secret: identitySecret } } });
});

const start = (headers: Record<string, string>, at = agent) =>
  at.visitor.post('', { message: 'Hello' }, headers);

async function startAs(sub: string, at = agent): Promise<{ sessionId: string; continuationToken: string }> {
  const answer = await start(await as(at.agentId, sub), at);
  expect(answer.status).toBe(202);
  return answer.body;
}

const get = (path: string, headers: Record<string, string> = {}, at = agent.visitor): Promise<Answer> =>
  request(at.base + path, { headers: { ...at.headers, ...headers } });

const list = async (sub: string, query = '', at = agent) => get(query, await as(at.agentId, sub), at.visitor);

const without = ({ body: { requestId: _id, ...body }, status }: Answer) => ({ status, body });

test.each<[string, (agentId: string) => Promise<string> | string, RegExp]>([
  ['signed with another secret', (id) => visitorToken(id, { secret: 'x'.repeat(48) }), /not a token/],
  ['of another agent', () => visitorToken('agent_other'), /"aud"/],
  ['without an audience', (id) => visitorToken(id, { aud: null }), /"aud"/],
  ['expired for more than a minute', (id) => visitorToken(id, { expiresIn: -62 }), /expired/],
  ['that never expires', (id) => visitorToken(id, { expiresIn: null }), /"exp"/],
  ['that expires in more than 24 hours', (id) => visitorToken(id, { expiresIn: 86_400 + 90 }), /24 h/],
  ['without a subject', (id) => visitorToken(id, { sub: null }), /"sub"/],
  ['with an empty subject', (id) => visitorToken(id, { sub: '' }), /"sub"/],
  ['with a number as subject', (id) => visitorToken(id, { sub: 7 }), /"sub"/],
  ['with a subject of 256 characters', (id) => visitorToken(id, { sub: 'a'.repeat(256) }), /"sub"/],
  ['not valid yet', (id) => visitorToken(id, { more: { nbf: Date.now() / 1000 + 300 } }), /"nbf"/],
  ['under HS512', (id) => visitorToken(id, { alg: 'HS512', secret: identitySecret.repeat(2) }), /algorithm/],
  [
    'that says it needs no signature',
    async (id) => {
      const [, payload] = (await visitorToken(id)).split('.');
      return `${btoa('{"alg":"none"}').replaceAll('=', '')}.${payload}.`;
    },
    /algorithm/,
  ],
  [
    'whose subject was changed',
    async (id) => {
      const [head, , signature] = (await visitorToken(id)).split('.');
      const [, payload] = (await visitorToken(id, { sub: 'eve', secret: 'x'.repeat(48) })).split('.');
      return `${head}.${payload}.${signature}`;
    },
    /not a token/,
  ],
  [
    'under ES256, for which the agent has no key',
    (id) =>
      new SignJWT({ sub: 'ada', aud: id, exp: Math.floor(Date.now() / 1000) + 60 })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(p256.privateKey),
    /algorithm/,
  ],
  ['that is no JWT', () => 'ada', /not/],
  ['of 9,000 characters', () => 'a'.repeat(9_000), /too long/],
])('a visitor token %s is refused, and says why', async (_case, make, why) => {
  const token = await make(agent.agentId);
  const answer = await start({ [visitorTokenHeader]: token });
  expect(answer).toMatchObject({ status: 401, body: { ok: false, code: 'VISITOR_TOKEN_INVALID' } });
  expect(answer.body.error).toMatch(why);
});

test('a token that expired half a minute ago, or is for several agents, is still good', async () => {
  for (const claims of [{ expiresIn: -30 }, { expiresIn: 86_400 }, { aud: ['other', agent.agentId] }]) {
    const token = await visitorToken(agent.agentId, claims);
    expect((await start({ [visitorTokenHeader]: token })).status).toBe(202);
  }
});

test('with a public key tokens are signed under ES256, and the key is no secret for HS256', async () => {
  const modern = await service.agent(script, { agent: { identity: { publicKey } } });
  const signed = await new SignJWT({
    sub: 'ada',
    aud: modern.agentId,
    exp: Math.floor(Date.now() / 1000) + 60,
  })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(p256.privateKey);
  expect((await start({ [visitorTokenHeader]: signed }, modern)).status).toBe(202);
  const forged = await visitorToken(modern.agentId, { secret: publicKey });
  expect((await start({ [visitorTokenHeader]: forged }, modern)).body.code).toBe('VISITOR_TOKEN_INVALID');
});

test('a token for an agent that knows no identity is refused, not ignored', async () => {
  const plain = await service.agent(script);
  const answer = await start(await as(plain.agentId, 'ada'), plain);
  expect(answer).toMatchObject({ status: 401, body: { code: 'VISITOR_TOKEN_INVALID' } });
});

test('a session belongs to its visitor: to anybody else, known or not, it does not exist', async () => {
  const { sessionId, continuationToken } = await startAs('ada');
  const mine = await as(agent.agentId, 'ada');
  const path = `/${sessionId}`;
  const unknown = `/ses_${'0'.repeat(32)}`;
  for (const headers of [{}, await as(agent.agentId, 'eve')]) {
    const send = (at: string, token: string) =>
      agent.visitor.post(at, { continuationToken: token, message: 'x' }, headers);
    const rate = (at: string) =>
      agent.visitor.post(`${at}/feedback`, { turnId: 'turn_0', rating: 'up' }, headers);
    const end = (at: string) => agent.visitor.post(`${at}/end`, { continuationToken }, headers);
    expect(without(await send(path, continuationToken))).toEqual(without(await send(unknown, 'parley:x.y')));
    expect((await send(path, continuationToken)).status).toBe(404);
    expect(without(await rate(path))).toEqual(without(await rate(unknown)));
    expect(without(await get(`${path}/transcript`, headers))).toEqual(
      without(await get(`${unknown}/transcript`, headers)),
    );
    expect(without(await get(`${path}/stream`, headers))).toEqual(
      without(await get(`${unknown}/stream`, headers)),
    );
    expect(without(await end(path))).toEqual(without(await end(unknown)));
    const cancelled = await agent.visitor.post(`${path}/cancel`, '', headers);
    expect(cancelled).toMatchObject({ status: 202, body: { status: 'no_active_turn' } });
    for (const control of ['clear', 'compact', 'reset']) {
      const answer = await agent.visitor.post(`/${control}`, { continuationToken }, headers);
      expect(answer).toMatchObject({ status: 200, body: { status: 'no_active_session' } });
    }
  }
  expect((await agent.visitor.post(path, { continuationToken, message: 'mine' }, mine)).status).toBe(200);
  expect((await get(`${path}/transcript`, mine)).status).toBe(200);
});

test('the tenant’s own server has the sessions of all visitors, and of one when it names one', async () => {
  const { sessionId } = await startAs('ada');
  const server = new Visitor(service.url, agent.secret.key);
  expect((await get(`/${sessionId}/transcript`, {}, server)).status).toBe(200);
  const eve = await as(agent.agentId, 'eve');
  expect((await get(`/${sessionId}/transcript`, eve, server)).status).toBe(404);
});

test('a visitor of one tenant is nobody at another, whatever the name', async () => {
  const other = await service.agent(script, { agent: { identity: { secret: identitySecret } } });
  const { sessionId, continuationToken } = await startAs('ada');
  const foreign = await other.visitor.post(
    `/${sessionId}`,
    { continuationToken, message: 'x' },
    await as(other.agentId, 'ada'),
  );
  expect(foreign.status).toBe(404);
  expect((await list('ada', '', other)).body).toEqual({ items: [], next: null });
  const misdirected = await start(await as(agent.agentId, 'ada'), other);
  expect(misdirected).toMatchObject({ status: 401, body: { code: 'VISITOR_TOKEN_INVALID' } });
});

test('where identity is required a publishable key alone opens nothing, on both interfaces', async () => {
  const strict = await service.agent(script, {
    agent: { identity: { secret: identitySecret, required: true } },
  });
  const { visitor, publishable } = strict;
  const id = `ses_${'0'.repeat(32)}`;
  const answers = [
    await visitor.post('', { message: 'x' }),
    await visitor.post(`/${id}`, { continuationToken: 'x', message: 'x' }),
    await visitor.post(`/${id}/cancel`, ''),
    await visitor.post('/reset', { continuationToken: 'x' }),
    await get(`/${id}/stream`, {}, visitor),
    await get(`/${id}/transcript`, {}, visitor),
    await request(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishable.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'x' }),
    }),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 401, body: { code: 'VISITOR_TOKEN_REQUIRED' } });
  await startAs('ada', strict);
  const server = new Visitor(service.url, strict.secret.key);
  expect((await server.post('', { message: 'x' })).status).toBe(202);
});

test('a page may read why its visitor was refused', async () => {
  const strict = await service.agent(script, {
    agent: { identity: { secret: identitySecret, required: true } },
  });
  const origin = 'https://shop.example';
  await service.settings('PATCH', `/keys/${strict.publishable.id}`, { allowedOrigins: [origin] });
  const answer = await start({ origin }, strict);
  expect(answer).toMatchObject({ status: 401, body: { code: 'VISITOR_TOKEN_REQUIRED' } });
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

test('the list has a visitor’s own sessions only, newest first, each with what it takes to go on', async () => {
  const name = 'lister';
  const started = [await startAs(name), await startAs(name), await startAs(name)];
  await startAs('somebody else');
  await agent.visitor.start('anonymous');
  const mine = await as(agent.agentId, name);
  for (const { sessionId } of started) {
    const reader = await new Visitor(service.url, agent.secret.key).follow(sessionId);
    await reader.boundaries(1);
    reader.close();
  }

  const items: { id: string; continuationToken: string; createdAt: string }[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer = await list(name, `?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    items.push(...page.body.items);
    cursor = page.body.next;
  } while (cursor !== null);
  expect(items.map(({ id }) => id).sort()).toEqual(started.map(({ sessionId }) => sessionId).sort());
  expect(items.map(({ createdAt }) => createdAt)).toEqual(
    items
      .map(({ createdAt }) => createdAt)
      .sort()
      .reverse(),
  );
  expect(items[0]).toMatchObject({ status: 'open', firstMessage: 'Hello', activeAt: expect.any(String) });
  const [{ id, continuationToken }] = items as [(typeof items)[0]];
  expect((await agent.visitor.post(`/${id}`, { continuationToken, message: 'on' }, mine)).status).toBe(200);
});

test('the list needs a visitor token, with either key, and sane parameters', async () => {
  const server = new Visitor(service.url, agent.secret.key);
  for (const at of [agent.visitor, server])
    expect(await get('', {}, at)).toMatchObject({ status: 401, body: { code: 'VISITOR_TOKEN_REQUIRED' } });
  for (const query of ['?limit=0', '?limit=101', '?limit=x', '?cursor=%00'])
    expect((await list('ada', query)).body.code).toBe('BAD_REQUEST');
});

test('an anonymous conversation becomes the visitor’s with a follow-up, and is nobody else’s from then on', async () => {
  const session = await agent.visitor.start('anonymous');
  const stream = await session.follow();
  await stream.boundaries(1);
  const mine = await as(agent.agentId, 'late');
  expect((await session.send({ message: 'It is me' }, mine)).status).toBe(200);
  await stream.rest();
  expect((await session.send({ message: 'x' })).status).toBe(404);
  expect((await get(`/${session.id}/stream`)).status).toBe(404);
  expect((await session.send({ message: 'x' }, await as(agent.agentId, 'eve'))).status).toBe(404);
  expect((await list('late')).body.items).toMatchObject([{ id: session.id, firstMessage: 'anonymous' }]);
});

test('identify makes a session the visitor’s without a message; it takes the token of the session and of a visitor', async () => {
  const session = await agent.visitor.start('slow');
  const stream = await session.follow();
  await stream.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  const identify = (headers: Record<string, string>, token = session.token) =>
    agent.visitor.post(`/${session.id}/identify`, { continuationToken: token }, headers);
  const mine = await as(agent.agentId, 'claimant');
  expect((await identify({})).body.code).toBe('VISITOR_TOKEN_REQUIRED');
  expect((await identify(mine, 'parley:ses_1.x')).body.code).toBe('SESSION_NOT_FOUND');
  const identified = await identify(mine);
  expect(identified).toMatchObject({ status: 200, body: { ok: true, status: 'identified' } });
  await stream.rest();
  expect((await identify(mine)).status).toBe(200);
  expect((await identify(await as(agent.agentId, 'eve'))).body.code).toBe('SESSION_NOT_FOUND');

  const controller = new AbortController();
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test follows the stream from outside
  const again = await fetch(`${agent.visitor.base}/${session.id}/stream`, {
    headers: { ...agent.visitor.headers, ...mine },
    signal: controller.signal,
  });
  expect(again.status).toBe(200);
  controller.abort();
  await agent.visitor.post(`/${session.id}/cancel`, '', mine);
});

test('reading with a visitor token makes no session the visitor’s: only who shows the session’s token can', async () => {
  const session = await agent.visitor.start('anonymous');
  await session.log(1);
  expect((await get(`/${session.id}/transcript`, await as(agent.agentId, 'eve'))).status).toBe(200);
  expect((await session.send({ message: 'still anonymous' })).status).toBe(200);
  expect(said(await session.log(2))).toContain('still anonymous');
});

test('an Idempotency-Key of one visitor gives another nothing of theirs', async () => {
  const key = { 'idempotency-key': 'shared-by-chance' };
  const first = await start({ ...(await as(agent.agentId, 'ada')), ...key });
  const again = await start({ ...(await as(agent.agentId, 'ada')), ...key });
  const other = await start({ ...(await as(agent.agentId, 'eve')), ...key });
  expect(again.body.sessionId).toBe(first.body.sessionId);
  expect(other.status).toBe(202);
  expect(other.body.sessionId).not.toBe(first.body.sessionId);
});

test('what an anonymous visitor has sent is not queued again when they repeat it as somebody known', async () => {
  const session = await agent.visitor.start('anonymous');
  const key = { 'idempotency-key': 'before-and-after' };
  const first = await session.send({ message: 'once' }, key);
  const mine = { ...(await as(agent.agentId, 'late-repeat')), ...key };
  expect(await session.send({ message: 'once' }, mine)).toMatchObject({ status: 200, body: first.body });
  expect((await session.send({ message: 'other' }, mine)).body.code).toBe('IDEMPOTENCY_CONFLICT');
  for (const headers of [key, { ...(await as(agent.agentId, 'eve')), ...key }])
    expect((await session.send({ message: 'once' }, headers)).status).toBe(404);
  await session.send({ message: 'last' }, await as(agent.agentId, 'late-repeat'));
  const log = await new Visitor(service.url, agent.secret.key).follow(session.id);
  expect(said(await log.boundaries(3))).toEqual(['anonymous', 'once', 'last']);
  log.close();
});

test('the secret is write-only, kept encrypted, patched and removed, and never required without a key', async () => {
  const path = `/agents/${(await service.agent(script)).agentId}`;
  const patch = (identity: unknown) => service.settings('PATCH', path, { identity });
  const wrong = [
    { secret: 'short' },
    { publicKey: 'no key' },
    { publicKey: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' },
    { required: true },
    { required: 'yes' },
    { algorithm: 'none' },
  ];
  for (const identity of wrong) expect((await patch(identity)).status, JSON.stringify(identity)).toBe(400);
  const set = await patch({ secret: identitySecret, required: true });
  const shown = { secret: { set: true, last4: 'know' }, required: true };
  expect(set).toMatchObject({ status: 200, body: { identity: shown } });
  expect((await service.settings('PATCH', path, { name: 'Other' })).body.identity).toEqual(shown);
  expect((await patch({ secret: null })).status).toBe(400);
  expect((await patch({ secret: null, required: null })).body.identity).toEqual({ required: false });
  expect(JSON.stringify((await service.settings('GET', path)).body)).not.toContain(identitySecret);
});
