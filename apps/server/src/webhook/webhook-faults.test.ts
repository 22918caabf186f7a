import { afterAll, beforeEach, expect, test } from 'vitest';
import { chatService } from '../testing/chat-service.ts';
import { testService } from '../testing/test-service.ts';
import { openReceiver, type Received } from './testing/open-receiver.ts';
import { tenantOf } from './testing/webhook-tenant.ts';

const receiver = await openReceiver();
const host = await chatService(undefined, undefined, undefined, [receiver.host]);

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = (response) => void response.end();
});
afterAll(() => receiver.close());

const of = (path: string) => (received: readonly Received[]) =>
  received.filter((each) => each.path === `/${path}`);

test('a tenant whose webhooks all hang leaves places for the others', async () => {
  const slow = await tenantOf(host, receiver);
  const other = await tenantOf(host, receiver);
  for (let each = 0; each < 16; each += 1) await slow.webhook('slow', { events: ['conversation.begun'] });
  await other.webhook('other', { events: ['conversation.begun'] });
  receiver.answer = (response, { path }) => void (path === '/other' && response.end());
  await slow.visitor.start('hello');
  await receiver.until((received) => of('slow')(received).length >= 6);
  await other.visitor.start('hello');
  await receiver.until((received) => of('other')(received).length > 0);
  expect(of('slow')(receiver.received)).toHaveLength(6);
});

test('a rating is told once for each change of it', async () => {
  const { webhook, visitor } = await tenantOf(host, receiver);
  const { id } = await webhook('ratings', { events: ['rating'] });
  const session = await visitor.start('hello');
  await session.log(1);
  const rate = async (comment?: string) =>
    (await visitor.post(`/${session.id}/feedback`, { turnId: 'turn_0', rating: 'up', comment })).status;
  const answers = [];
  for (const comment of [undefined, undefined, 'Well.', 'Well.', undefined])
    answers.push(await rate(comment));
  expect(answers).toEqual([200, 200, 200, 200, 200]);
  const { body } = await host.settings('GET', `/webhooks/${id}/deliveries`);
  expect(body.items).toHaveLength(3);
});

test('a webhook that was given another address stays on, although the one before is gone', async () => {
  const { webhook, visitor } = await tenantOf(host, receiver);
  const { id } = await webhook('before', { events: ['conversation.begun'] });
  const path = `/webhooks/${id}`;
  let answer = () => {};
  receiver.answer = (response, { path: place }) => {
    if (place === '/before') answer = () => void response.writeHead(410).end();
    else response.end();
  };
  await visitor.start('hello');
  await receiver.until((received) => of('before')(received).length > 0);
  await host.settings('PATCH', path, { url: `${receiver.url}/after` });
  answer();
  const first = async () => (await host.settings('GET', `${path}/deliveries`)).body.items[0];
  await expect.poll(first).toMatchObject({ status: 'delivered', attempts: 2, httpStatus: 200 });
  expect((await host.settings('GET', path)).body).toMatchObject({ active: true, status: 'working' });
});

test.each([
  [200, { status: 'delivered', attempts: 1, httpStatus: 200, problem: null }],
  [500, { status: 'waiting', httpStatus: 500, problem: 'The address answered 500.' }],
])('a webhook that answers %i and breaks off its answer is taken at its word', async (status, expected) => {
  const { webhook, visitor } = await tenantOf(host, receiver);
  const { id } = await webhook('cut', { events: ['conversation.begun'] });
  receiver.answer = (response) => {
    response.writeHead(status, { 'content-length': 100 }).write('taken');
    response.socket?.end();
  };
  await visitor.start('hello');
  const first = async () =>
    (await host.settings('GET', `/webhooks/${id}/deliveries`)).body.items.find(
      ({ attempts }: { attempts: number }) => attempts > 0,
    );
  await expect.poll(first).toMatchObject(expected);
});

test('what a webhook is sent again is counted, nothing while it is off, and nothing stays of one that is deleted', async () => {
  const at = Date.now();
  const own = await testService({ EGRESS_ALLOW: receiver.host }, { clock: () => at });
  const { webhook, visitor } = await tenantOf(own, receiver);
  const { id } = await webhook('all', { events: ['conversation.begun'] });
  const path = `/webhooks/${id}`;
  await visitor.start('hello');
  const first = async () => (await own.settings('GET', `${path}/deliveries`)).body.items[0];
  await expect.poll(first).toMatchObject({ status: 'delivered' });
  const one = `${path}/deliveries/${(await first()).id}/replay`;
  const replay = () =>
    Promise.all([
      own.settings('POST', one),
      own.settings('POST', `${path}/replay`, { since: new Date(0).toISOString() }),
    ]);
  const statuses = async () => (await replay()).map(({ status }) => status);
  await own.settings('PATCH', path, { active: false });
  expect((await replay()).map(({ body }) => body.code)).toEqual(['CONFLICT', 'CONFLICT']);
  await own.settings('PATCH', path, { active: true });
  expect(await statuses()).toEqual([200, 200]);
  expect(
    await own.stored.sql("UPDATE quotas SET used = 60 WHERE scope LIKE 'trials:%' RETURNING used"),
  ).toHaveLength(1);
  expect(await statuses()).toEqual([429, 429]);

  const told = () => own.stored.sql('SELECT id FROM webhook_deliveries WHERE webhook_id = ?', id);
  expect(await told()).toHaveLength(1);
  expect((await own.settings('DELETE', path)).status).toBe(204);
  await expect.poll(told).toEqual([]);
});
