import { afterEach, beforeEach, expect, test } from 'vitest';
import { testService } from '../testing/test-service.ts';
import { as, identitySecret } from '../testing/visitor-token.ts';
import { openReceiver, type Received, type Receiver } from '../webhook/testing/open-receiver.ts';
import { script, tenantOf, visitorOf } from '../webhook/testing/webhook-tenant.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const changes = (received: readonly Received[]) =>
  received.map(({ event: { data } }) => [data['change'], data['by'], Object(data['contact']).stage ?? null]);

test('webhooks are told of a contact, in order and of each change once, and keep nothing of one who was erased', async () => {
  // Nothing is tried again before the test has put the clock forward.
  const begun = Date.now();
  let ahead = 0;
  const clock = () => begun + ahead;
  const host = await testService({ EGRESS_ALLOW: receiver.host }, { clock });
  const { tenantId, webhook } = await tenantOf(host, receiver);
  const { id } = await webhook('crm', { events: ['contact.changed'] });
  const model = { provider: 'scripted', script };
  const { body: agent } = await host.settings('POST', '/agents', {
    tenantId,
    name: 'Grace',
    model,
    identity: { secret: identitySecret },
  });
  const ofOneAgent = { agentIds: [agent.id], events: ['contact.changed'] };
  expect((await host.settings('PATCH', `/webhooks/${id}`, ofOneAgent)).status).toBe(400);

  const visitor = await visitorOf(host, { tenantId, agentId: agent.id });
  Object.assign(visitor.headers, await as(agent.id, 'canary-heron'));
  receiver.answer = (response, { body }) => void response.writeHead(500).end(body.slice(0, 900));
  await (await visitor.start('hello')).log(1);
  await receiver.until((received) => received.length === 1);
  const { items } = (await host.settings('GET', `/contacts?tenantId=${tenantId}&visitor=canary-heron`)).body;
  const nobody = await host.settings('GET', `/contacts?tenantId=${tenantId}&visitor=heron`);
  expect(nobody.body).toEqual({ items: [], next: null });
  const contact = `/contacts/${items[0].id}`;
  for (const stage of ['talking', 'talking', 'customer'])
    expect((await host.settings('PATCH', contact, { stage })).status).toBe(200);
  const failing = async () => (await host.settings('GET', `/webhooks/${id}`)).body.status;
  await expect.poll(failing).toBe('failing');

  receiver.answer = (response, { body }) => void response.end(body.slice(0, 900));
  ahead += 6_000;
  await receiver.until((received) => received.length === 4);
  expect(changes(receiver.received)).toEqual([
    ['added', 'visitor', 'new'],
    ['added', 'visitor', 'new'],
    ['changed', 'team', 'talking'],
    ['changed', 'team', 'customer'],
  ]);
  expect(receiver.received[3]?.event.data).toMatchObject({
    contactId: items[0].id,
    contact: { visitor: 'canary-heron', fields: {}, said: {} },
  });
  expect(await host.stored.count('canary-heron')).toBeGreaterThan(0);

  expect((await host.settings('POST', `${contact}/erase`)).body).toMatchObject({ complete: true });
  await receiver.until((received) => received.length === 5);
  expect(receiver.received[4]?.event.data).toEqual({
    contactId: items[0].id,
    change: 'erased',
    by: 'team',
    contact: null,
  });
  await expect.poll(() => host.stored.count('canary-heron')).toBe(0);
  const { body: log } = await host.settings('GET', `/webhooks/${id}/deliveries`);
  expect(log.items).toHaveLength(1);
});
