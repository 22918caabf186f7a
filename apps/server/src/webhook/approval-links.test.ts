import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testService } from '../testing/test-service.ts';
import { dataOf } from '../testing/visitor.ts';
import { openReceiver, type Receiver } from './testing/open-receiver.ts';
import { tenantOf } from './testing/webhook-tenant.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

test('a webhook that may approve is sent a link, which answers once and in its name, and which nothing else has', async () => {
  const host = await testService({ EGRESS_ALLOW: receiver.host });
  const { agentId, webhook, visitor } = await tenantOf(host, receiver);
  await host.settings('PATCH', `/agents/${agentId}`, { approvalsBy: 'team' });
  const events = ['approval.asked', 'approval.answered'];
  await webhook('plain', { events });
  const { id, secret, approvalLinks } = await webhook('Order system', { events, approvalLinks: true });
  expect(approvalLinks).toBe(true);
  // What a receiver answers is kept in the log of deliveries, too.
  receiver.answer = (response, { body }) => void response.end(body);

  const told = async (path: string, times: number) => {
    const at = (each: { path: string }) => each.path === `/${encodeURI(path)}`;
    const all = await receiver.until((received) => received.filter(at).length >= times);
    return all.filter(at)[times - 1]!;
  };
  const page = async (url: string, answer?: 'approve' | 'deny') => {
    const path = new URL(url).pathname + (answer ? `/${answer}` : '');
    const response = await fetch(host.url + path, { method: answer ? 'POST' : 'GET' });
    return response.text();
  };
  const linkOf = ({ event }: Awaited<ReturnType<typeof told>>) =>
    event.data['approvalLink'] as { url: string; expiresAt: string } | undefined;

  const session = await visitor.start('pay');
  await session.log(1);
  expect(linkOf(await told('plain', 1))).toBeUndefined();
  const asked = await told('Order system', 1);
  new Webhook(secret).verify(asked.body, asked.headers);
  const { url, expiresAt } = linkOf(asked)!;
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  const { pathname } = new URL(url);
  const token = pathname.slice(pathname.lastIndexOf('/') + 1);

  const log = `/webhooks/${id}/deliveries`;
  const deliveries = async () => (await host.settings('GET', log)).body.items as Record<string, unknown>[];
  await expect.poll(deliveries).toMatchObject([{ type: 'approval.asked', status: 'delivered' }]);
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ response: null });
  const detail = await host.settings('GET', `${log}/${String(delivery?.['id'])}`);
  expect(detail.body.body).not.toContain('approvalLink');
  expect(await host.stored.count(token)).toBe(0);

  expect(await page(url)).toContain('counts as that of Order system');
  expect(await page(url, 'approve')).toContain('By Order system, ');
  expect(await page(url, 'deny')).toContain('By Order system, ');
  await session.log(2);
  const { body } = await host.settings('GET', `/conversations/${session.id}/events?limit=200`);
  const answers = body.items.map(({ event }: { event: unknown }) => event);
  expect(dataOf(answers, 'input.answered')).toMatchObject([
    { optionId: 'approve', by: 'team', member: { id: `webhook:${id}`, name: 'Order system' } },
  ]);

  // It has no say where two members have to approve, and none once it may not any more.
  await session.send({ message: 'pay' });
  const second = linkOf(await told('Order system', 3))!;
  await host.settings('PATCH', `/webhooks/${id}`, { approvalLinks: null });
  expect(await page(second.url, 'approve')).toContain('counts no longer');
  await host.settings('PATCH', `/webhooks/${id}`, { approvalLinks: true });
  // Whoever ran the address before, and kept what it was sent, has no say either.
  const before = { url: `${receiver.url}/Order system` };
  await host.settings('PATCH', `/webhooks/${id}`, { url: `${receiver.url}/elsewhere` });
  expect(await page(second.url)).toContain('counts no longer');
  expect(await page(second.url, 'approve')).toContain('counts no longer');
  await host.settings('PATCH', `/webhooks/${id}`, before);
  expect(await page(second.url)).toContain('counts as that of Order system');
  await host.settings('PATCH', `/agents/${agentId}`, { approvalsBy: 'two' });
  await (await visitor.start('pay')).log(1);
  expect(linkOf(await told('Order system', 4))).toBeUndefined();
});
