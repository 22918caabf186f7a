import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, jwtVerify } from 'jose';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { request, testService } from '../../testing/test-service.ts';
import { as, identitySecret } from '../../testing/visitor-token.ts';
import { type TestAgent, Visitor, dataOf, said, sharedService } from '../../testing/visitor.ts';

const script = [
  { when: 'orders', steps: [{ call: 'orders', input: { 'visitor.id': 'mallory' } }, { say: '{{result}}' }] },
  {
    when: 'slowly',
    steps: [
      { say: 'Just a moment. ', delayMs: 1 },
      { wait: 300 },
      { call: 'orders', input: {} },
      { say: '{{result}}' },
    ],
  },
  { steps: [{ say: '{{input}}' }] },
];
const service = await sharedService();
let agent: TestAgent;
beforeAll(async () => {
  const url = `${service.endpoint.url}/orders/{{visitor.id}}`;
  const parameters = { type: 'object' };
  const orders = { name: 'orders', parameters, request: { method: 'GET', url } };
  agent = await service.agent(script, { agent: { identity: { secret: identitySecret } }, tools: [orders] });
});

const callsTo = (path: string) => service.endpoint.calls.filter((call) => call.path === path);

test('“my orders” are those of whoever is signed in, not of whom the model names', async () => {
  const started = await agent.visitor.post('', { message: 'orders' }, await as(agent.agentId, 'ada'));
  const log = await new Visitor(service.url, agent.secret.key).follow(started.body.sessionId);
  expect(said(await log.boundaries(1))).toEqual(['{"done":"/orders/ada"}']);
  log.close();
  const [call] = callsTo('/orders/ada');
  const claims = decodeJwt(String(call?.headers['x-parley-visitor']));
  expect(claims).toMatchObject({ sub: 'ada', iss: service.url, aud: service.endpoint.url });
  expect(JSON.stringify(claims)).not.toContain(started.body.sessionId);
  expect(callsTo('/orders/mallory')).toEqual([]);
});

test('the model is told that nobody is signed in, and the call is not made', async () => {
  const before = service.endpoint.calls.length;
  const session = await agent.visitor.start('orders');
  const log = await session.log(1);
  expect(dataOf(log, 'action.result')).toMatchObject([
    { status: 'failed', error: { code: 'VISITOR_UNKNOWN' } },
  ]);
  expect(said(log).at(-1)).toContain('not signed in');
  expect(service.endpoint.calls.length).toBe(before);
});

test('a turn acts for whoever began it: a takeover changes none that runs or waits, the next is the visitor’s', async () => {
  const session = await agent.visitor.start('slowly');
  const server = await new Visitor(service.url, agent.secret.key).follow(session.id);
  await server.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  expect((await session.send({ message: 'orders' })).status).toBe(200);
  const claimant = await as(agent.agentId, 'claimant');
  const identify = { continuationToken: session.token };
  expect((await agent.visitor.post(`/${session.id}/identify`, identify, claimant)).status).toBe(200);
  expect(dataOf(server.events, 'action.result')).toEqual([]);
  await server.boundaries(2);
  const unknown = { error: { code: 'VISITOR_UNKNOWN' } };
  expect(dataOf(server.events, 'action.result')).toMatchObject([unknown, unknown]);
  await session.send({ message: 'orders' }, claimant);
  await server.boundaries(3);
  server.close();
  expect(callsTo('/orders/claimant')).toHaveLength(1);
});

test('the firm’s server, and a time that has come, act for the visitor whose session it is', async () => {
  const refund = { name: 'refund', approval: 'always', approvalExpiresAfterMs: 1_000 };
  const url = `${service.endpoint.url}/orders-of/{{visitor.id}}`;
  const orders = { name: 'orders', parameters: { type: 'object' }, request: { method: 'GET', url } };
  const input = { name: 'x' };
  const refunding = [{ call: 'refund', input }, { say: 'Then. ' }];
  const steps = [...refunding, { call: 'orders', input: {} }, { say: 'Done.' }];
  const firm = await service.agent([{ when: 'refund', steps }, ...script], {
    agent: { identity: { secret: identitySecret } },
    tools: [refund, orders],
  });
  const headers = await as(firm.agentId, 'regular');
  const { sessionId, continuationToken } = (await firm.visitor.post('', { message: 'refund' }, headers)).body;
  const server = new Visitor(service.url, firm.secret.key);
  const log = await server.follow(sessionId);
  // Nobody approves: the turn goes on by itself.
  await log.boundaries(2);
  expect(callsTo('/orders-of/regular')).toHaveLength(1);
  await server.post(`/${sessionId}`, { continuationToken, message: 'orders' });
  await log.boundaries(3);
  log.close();
  expect(callsTo('/orders-of/regular')).toHaveLength(2);
});

test('on Chat the visitor is who the token says, with either kind of key, and nobody without one', async () => {
  const ask = async (key: string, headers: Record<string, string> = {}) =>
    request(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id: 'c', text: 'orders' }),
    });
  for (const { key } of [agent.secret, agent.publishable]) {
    expect((await ask(key, await as(agent.agentId, 'chatty'))).body.text).toContain('/orders/chatty');
    expect((await ask(key)).body.text).toContain('not signed in');
  }
  expect(callsTo('/orders/chatty')).toHaveLength(2);
});

test('the secret for tools is write-only, and signs in place of the one for visitor tokens', async () => {
  const path = `/agents/${agent.agentId}`;
  const toolSecret = 'a secret that only tools are given: 0042';
  const answer = await service.settings('PATCH', path, { identity: { toolSecret } });
  expect(answer).toMatchObject({
    status: 200,
    body: { identity: { toolSecret: { set: true, last4: '0042' } } },
  });
  const read = JSON.stringify((await service.settings('GET', path)).body);
  expect(read).not.toContain(toolSecret);
  const { body } = await agent.visitor.post('', { message: 'orders' }, await as(agent.agentId, 'toolsmith'));
  const log = await new Visitor(service.url, agent.secret.key).follow(body.sessionId);
  await log.boundaries(1);
  log.close();
  const token = String(callsTo('/orders/toolsmith')[0]?.headers['x-parley-visitor']);
  const verified = (secret: string) => jwtVerify(token, new TextEncoder().encode(secret));
  await expect(verified(identitySecret)).rejects.toThrow('signature');
  expect((await verified(toolSecret)).payload.sub).toBe('toolsmith');
  expect((await service.settings('PATCH', path, { identity: { toolSecret: null } })).body.identity).toEqual({
    secret: { set: true, last4: 'know' },
    required: false,
  });
});

test('the example in the documentation verifies a real call, and refuses one that nobody signed', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/tools.md'), 'utf8');
  const [, example = ''] = /```js[^\n]*\n(import [^`]*-visitor'\][^`]*)```/.exec(page) ?? [];
  const origin = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', example.replace('{{platform}}', 'parley')],
    {
      cwd: import.meta.dirname,
      env: { ...process.env, PORT: new URL(origin).port, ORIGIN: origin, IDENTITY_SECRET: identitySecret },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill());
  await expect
    .poll(() =>
      request(origin).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401);

  const ours = await testService({ EGRESS_ALLOW: new URL(origin).host });
  const tenant = await ours.settings('POST', '/tenants', { name: 'Firm' });
  const tenantId = tenant.body.id;
  const model = { provider: 'scripted', script };
  const identity = { secret: identitySecret };
  const { body: firm } = await ours.settings('POST', '/agents', { tenantId, name: 'Ada', model, identity });
  const { body: key } = await ours.settings('POST', '/keys', { tenantId, agentId: firm.id, kind: 'secret' });
  const tool = { agentId: firm.id, kind: 'http', name: 'orders', description: 'Their orders' };
  const call = { parameters: { type: 'object' }, request: { method: 'GET', url: `${origin}/orders` } };
  expect((await ours.settings('POST', '/tools', { ...tool, ...call })).status).toBe(201);
  const ask = async (headers: Record<string, string>) => {
    const sent = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json', ...headers };
    const body = JSON.stringify({ id: 'c', text: 'orders' });
    return (await ours.call('/api/v1/agent/chat', { method: 'POST', headers: sent, body })).body.text;
  };
  expect(await ask(await as(firm.id, 'customer-7'))).toBe('["1042","1043"]');
  expect(await ask({})).toContain('401');
});
