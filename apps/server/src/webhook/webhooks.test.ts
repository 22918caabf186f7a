import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { signedInMember } from '../testing/signed-in-member.ts';
import { type TestService, testService } from '../testing/test-service.ts';
import { openReceiver, type Received, type Receiver } from './testing/open-receiver.ts';
import { script, tenantOf, visitorOf } from './testing/webhook-tenant.ts';

let receiver: Receiver;
/** When the test began, and how far it has put the clock forward since: nothing is tried again before it has. */
let begun: number;
let ahead: number;
const clock = () => begun + ahead;

beforeEach(async () => {
  receiver = await openReceiver();
  begun = Date.now();
  ahead = 0;
});
afterEach(() => receiver.close());

const service = (more: { stored?: TestService['stored'] } = {}) =>
  testService({ EGRESS_ALLOW: receiver.host }, { clock, ...more });

const of = (received: readonly Received[], path: string) =>
  received.filter((each) => each.path === `/${path}`);
const isVerified = ({ headers, body }: Received, secret: string): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

test('a webhook is told what happens, in order, signed with its secrets, and nothing of anybody else', async () => {
  const host = await service();
  const { tenantId, agentId, webhook, visitor } = await tenantOf(host, receiver);
  const { id, secret } = await webhook('all');
  await webhook('ratings', { events: ['rating'], agentIds: [agentId] });
  const { body: quiet } = await host.settings('POST', '/agents', {
    tenantId,
    name: 'Quiet',
    model: { provider: 'scripted', script },
  });
  await webhook('quiet', { agentIds: [quiet.id] });
  await (await tenantOf(host, receiver)).webhook('foreign');

  const session = await visitor.start('pay');
  const asked = await session.log(1);
  const [request] = asked.flatMap((event) => (event.type === 'input.requested' ? event.data.requests : []));
  const inputResponses = [{ requestId: request?.requestId, optionId: 'deny' }];
  await session.send({ inputResponses });
  await session.log(2);
  await visitor.post(`/${session.id}/feedback`, { turnId: 'turn_0', rating: 'down', comment: 'No.' });

  const { body: rotated } = await host.settings('POST', `/webhooks/${id}/rotate`);
  const member = await signedInMember(host, { role: 'agent', tenantId, name: 'Grace' });
  const conversation = `/conversations/${session.id}`;
  await member.call(host, 'POST', `${conversation}/notes`, { text: 'canary-note' });
  await member.call(host, 'POST', `${conversation}/take-over`);
  await member.call(host, 'POST', `${conversation}/messages`, { text: 'A person here.' });
  await member.call(host, 'POST', `${conversation}/hand-back`, { summary: 'canary-summary' });
  expect((await session.control(`${session.id}/end`)).status).toBe(200);

  await receiver.until((received) =>
    of(received, 'all').some(({ event }) => event.type === 'conversation.ended'),
  );
  await receiver.until((received) => of(received, 'ratings').length > 0);
  const told = of(receiver.received, 'all');
  expect(told.map(({ event: { type, data } }) => [type, data['text'] ?? data['action'] ?? null])).toEqual([
    ['conversation.begun', null],
    ['message', 'pay'],
    ['approval.asked', null],
    ['approval.answered', null],
    ['message', 'Done.'],
    ['rating', null],
    ['hand_over', 'taken'],
    ['message', 'A person here.'],
    ['hand_over', 'handed_back'],
    ['conversation.ended', null],
  ]);
  for (const { event } of told) expect(event.data).toMatchObject({ sessionId: session.id, agentId });
  const dataOf = (type: string) => told.find(({ event }) => event.type === type)?.event.data;
  expect(dataOf('approval.asked')).toMatchObject({ tool: 'pay', requestId: request?.requestId });
  expect(dataOf('approval.answered')).toMatchObject({ approved: false, by: 'visitor' });
  expect(dataOf('rating')).toMatchObject({ turnId: 'turn_0', rating: 'down', comment: 'No.' });
  expect(told.map(({ event }) => Object(event.data['author']).kind ?? null)).toEqual([
    null,
    'visitor',
    null,
    null,
    'agent',
    null,
    null,
    'team',
    null,
    null,
  ]);
  expect(JSON.stringify(receiver.received)).not.toContain('canary');
  expect(of(receiver.received, 'ratings').map(({ event }) => event.type)).toEqual(['rating']);
  expect(receiver.received.filter(({ path }) => path !== '/all' && path !== '/ratings')).toEqual([]);

  expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(told.length);
  const newest = told.at(-1)!;
  expect([told.every((each) => isVerified(each, secret)), isVerified(told[0]!, rotated.secret)]).toEqual([
    true,
    false,
  ]);
  expect(isVerified(newest, rotated.secret)).toBe(true);
  expect(isVerified({ ...newest, body: `${newest.body} ` }, secret)).toBe(false);
  await host.settings('POST', `/webhooks/${id}/rotate`);
  const { body: tested } = await host.settings('POST', `/webhooks/${id}/test`);
  expect(tested).toMatchObject({ status: 'delivered', httpStatus: 200, response: 'taken', problem: null });
  const test = receiver.received.at(-1)!;
  expect([isVerified(test, secret), isVerified(test, rotated.secret)]).toEqual([false, true]);

  const { body: stored } = await host.settings('GET', `/webhooks/${id}`);
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 20));
  expect(await host.stored.count('A person here.')).toBeGreaterThan(0);
  await host.settings('DELETE', conversation);
  await expect.poll(() => host.stored.count('A person here.')).toBe(0);
  expect((await host.settings('GET', `/webhooks/${id}/deliveries`)).body).toEqual({ items: [], next: null });
});

test('what failed at an address is sent to the one that takes its place, at once', async () => {
  const host = await service();
  const { webhook, visitor } = await tenantOf(host, receiver);
  const { id, url } = await webhook('moved', { events: ['message'] });
  receiver.answer = (response) => void response.writeHead(500).end();
  await (await visitor.start('hello')).log(1);
  const list = async () => (await host.settings('GET', `/webhooks/${id}/deliveries`)).body.items;
  await expect.poll(async () => (await list()).at(-1)).toMatchObject({ status: 'waiting', attempts: 1 });
  receiver.answer = (response) => void response.end();
  expect((await host.settings('PATCH', `/webhooks/${id}`, { url: `${url}?moved` })).status).toBe(200);
  await expect
    .poll(async () => (await list()).map(({ status }: { status: string }) => status))
    .toEqual(['delivered', 'delivered']);
});

test('what is on its way to an address that is changed meanwhile, and fails, is sent to the new one at once', async () => {
  const host = await service();
  const { webhook, visitor } = await tenantOf(host, receiver);
  const { id, url } = await webhook('moving', { events: ['message'] });
  const waiting: ServerResponse[] = [];
  receiver.answer = (response, { path }) =>
    path === '/moving' ? void waiting.push(response) : void response.end();
  await (await visitor.start('hello')).log(1);
  await expect.poll(() => waiting.length).toBe(1);
  expect((await host.settings('PATCH', `/webhooks/${id}`, { url: `${url}?moved` })).status).toBe(200);
  waiting[0]?.writeHead(500).end();
  const list = async () => (await host.settings('GET', `/webhooks/${id}/deliveries`)).body.items;
  await expect
    .poll(async () => (await list()).map(({ status }: { status: string }) => status))
    .toEqual(['delivered', 'delivered']);
});

test('what fails is tried again before what follows it, given up, and sent again when somebody asks', async () => {
  const host = await service();
  const { webhook, visitor } = await tenantOf(host, receiver);
  const { id } = await webhook('all', { events: ['message'] });
  const path = `/webhooks/${id}`;
  const list = async () => (await host.settings('GET', `${path}/deliveries`)).body.items;
  const read = async () => (await host.settings('GET', path)).body;
  receiver.answer = (response) => void response.writeHead(500).end('out of order');
  const session = await visitor.start('first');
  await session.log(1);
  await expect.poll(read).toMatchObject({ status: 'failing', problem: 'The address answered 500.' });
  const [, failed] = await list();
  expect(failed).toMatchObject({ status: 'waiting', attempts: 1, httpStatus: 500, response: 'out of order' });

  // Another conversation does not wait for the one that failed.
  receiver.answer = (response) => void response.end();
  await (await visitor.start('second')).log(1);
  await receiver.until((received) => received.length === 3);
  expect(receiver.received.map(({ event }) => event.data['text'])).toEqual([
    'first',
    'second',
    'You said second',
  ]);
  await expect.poll(read).toMatchObject({ status: 'working', failingSince: null, problem: null });

  ahead += 6_000;
  await (await visitor.start('another')).log(1);
  const ofFirst = (received: readonly Received[]) =>
    received.filter(({ event }) => event.data['sessionId'] === session.id);
  await receiver.until((received) => ofFirst(received).length === 3);
  const [one, two, three] = ofFirst(receiver.received);
  expect([one, two, three].map((each) => each?.event.data['text'])).toEqual([
    'first',
    'first',
    'You said first',
  ]);
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
  await expect
    .poll(async () => (await list()).map(({ status }: { status: string }) => status))
    .toEqual(Array.from({ length: 6 }, () => 'delivered'));
  const replayed = await host.settings('POST', `${path}/deliveries/${failed.id}/replay`);
  expect(replayed.body).toMatchObject({ eventId: failed.eventId, body: one?.body });
  await receiver.until((received) => ofFirst(received).length === 4);
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(one?.headers['webhook-id']);

  // Gone for good: the webhook is switched off, and what waits is given up.
  const open: ServerResponse[] = [];
  receiver.answer = (response) => void open.push(response);
  await session.send({ message: 'third' });
  // A webhook that is off is told nothing any more: both messages wait before the first is refused.
  await session.log(2);
  await expect.poll(() => open.length).toBe(1);
  open[0]?.writeHead(410).end();
  await expect
    .poll(read)
    .toMatchObject({ active: false, status: 'off', problem: expect.stringContaining('410') });
  await expect
    .poll(async () => (await list()).filter(({ status }: { status: string }) => status === 'failed').length)
    .toBe(2);
  receiver.answer = (response) => void response.end();
  expect((await host.settings('PATCH', path, { active: true })).body).toMatchObject({
    status: 'working',
    problem: null,
  });
  const before = receiver.received.length;
  const since = new Date(0).toISOString();
  expect((await host.settings('POST', `${path}/replay`, { since })).body).toEqual({
    replayed: 2,
    more: false,
  });
  await receiver.until((received) => received.length === before + 2);
  expect(receiver.received.slice(-2).map(({ event }) => event.data['text'])).toEqual([
    'third',
    'You said third',
  ]);
});

test('what a process was sending when it stopped, the next one sends, and switches off what fails for days', async () => {
  const first = await service();
  const tenant = await tenantOf(first, receiver);
  const { webhook, visitor } = tenant;
  const { id } = await webhook('all', { events: ['message'] });
  receiver.answer = () => undefined;
  const session = await visitor.start('first');
  await session.log(1);
  await receiver.until((received) => received.length === 1);
  await first.stop();

  receiver.answer = (response) =>
    void response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
  const second = await service({ stored: first.stored });
  const read = async () => (await second.settings('GET', `/webhooks/${id}`)).body;
  await expect.poll(read).toMatchObject({ status: 'failing', problem: expect.stringContaining('redirect') });
  const [one, other] = receiver.received;
  expect(other?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
  const { failingSince } = await read();
  const state = JSON.stringify({
    failingSince: new Date(Date.parse(failingSince) - 73 * 3_600_000).toISOString(),
    problem: 'No.',
  });
  await second.stored.sql('UPDATE webhooks SET state = ? WHERE id = ? RETURNING id', state, id);
  await (await visitorOf(second, tenant)).start('second');
  const attempts = async () =>
    (await second.settings('GET', `/webhooks/${id}/deliveries`)).body.items.map(
      (delivery: { attempts: number }) => delivery.attempts,
    );
  // The first one of each conversation.
  await expect.poll(async () => (await attempts()).filter((made: number) => made > 0).length).toBe(2);
  // Nothing was tried for days, as where what failed was erased with its conversation: that says nothing of this one.
  expect(await read()).toMatchObject({ status: 'failing' });
  const old = 'UPDATE webhook_deliveries SET created_at = created_at - 262800000 RETURNING key';
  await second.stored.sql(old);
  ahead += 3_600_000;
  await expect.poll(read).toMatchObject({ status: 'off', problem: expect.stringContaining('three days') });
  expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere');
});

test('no webhook leads to a private place, neither when it is saved nor when it is called', async () => {
  const host = await service();
  const { tenantId, agentId, webhook } = await tenantOf(host, receiver);
  const { id } = await webhook('all');
  const places = [
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0x7f000001/',
    'http://169.254.169.254/latest/',
    'http://10.0.0.1/',
    'http://db.internal/',
    'http://user:p@example.com/',
    'http://example.com:22/',
    'ftp://example.com/',
    'not an address',
  ];
  for (const url of places) {
    const create = { tenantId, name: 'x', url, events: ['message'] };
    expect([url, (await host.settings('POST', '/webhooks', create)).status]).toEqual([url, 400]);
    expect([url, (await host.settings('PATCH', `/webhooks/${id}`, { url })).status]).toEqual([url, 400]);
  }
  const foreign = await tenantOf(host, receiver);
  const agents = { tenantId, name: 'x', url: receiver.url, events: ['message'], agentIds: [foreign.agentId] };
  expect((await host.settings('POST', '/webhooks', agents)).status).toBe(400);
  await host.stop();

  // What was allowed once is judged again where it is dialled.
  const strict = await testService({}, { stored: host.stored });
  onTestFinished(() => strict.stop());
  const before = receiver.received.length;
  await (await visitorOf(strict, { tenantId, agentId })).start('hello');
  const read = async () => (await strict.settings('GET', `/webhooks/${id}`)).body;
  await expect.poll(read).toMatchObject({ status: 'failing', problem: expect.stringContaining('not open') });
  expect((await strict.settings('POST', `/webhooks/${id}/test`)).body).toMatchObject({
    status: 'failed',
    httpStatus: null,
  });
  expect(receiver.received.length).toBe(before);
});
