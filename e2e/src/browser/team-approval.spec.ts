import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { createAgent, startServer } from '../server.ts';
import { chatIn } from './chat.ts';
import { complaints } from './console-check.ts';
import { openMailServer } from './open-mail-server.ts';
import { openShop } from './open-shop.ts';

const script = [
  { when: 'refund', steps: [{ call: 'refund', input: { order: 'A-\u202e17' } }, { say: '{{result}}' }] },
  { steps: [{ say: 'Heard {{input}}' }] },
];

/** What the tool calls, and the orders that it was called for. */
async function openRefunds() {
  const orders: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { order } = JSON.parse(body) as { order: string };
      orders.push(order);
      response.end(`Refunded ${order}.`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { orders, host: `127.0.0.1:${port}`, close: () => server.close() };
}

test('while the visitor is away the team changes, hands on and approves what is asked, in the console and by the page of a mail', async ({
  context,
  browser,
}) => {
  const mail = await openMailServer();
  const shop = await openShop();
  const refunds = await openRefunds();
  const service = await startServer({
    environment: { EGRESS_ALLOW: `127.0.0.1:${mail.port},${refunds.host}`, LOG_LEVEL: 'error' },
  });
  try {
    const { tenantId, agentId } = await createAgent(service, script);
    const created = <Answer>(path: string, body: object) => service.settings<Answer>('POST', path, body);
    const complaint: string[][] = [];
    /** A member's console, in a browser of their own. */
    async function openDesk(name: string): Promise<{ id: string; page: Page }> {
      const { token } = await created<{ token: string }>('/invitations', { role: 'agent', tenantId });
      const page = await (await browser.newContext()).newPage();
      complaint.push(complaints(page));
      const accepted = await page.request.post(`${service.url}/api/v1/settings/invitations/accept`, {
        headers: { 'x-parley-console': '1' },
        data: { token, name, password: 'correct horse battery' },
      });
      const { id } = (await accepted.json()) as { id: string };
      return { id, page };
    }
    const { page: grace } = await openDesk('Grace');
    const { page: alan, id: alanId } = await openDesk('Alan');
    await service.settings('PATCH', `/agents/${agentId}`, {
      approvalsBy: 'two',
      approvalMail: [{ address: 'alan@shop.example', memberId: alanId }],
    });
    await created('/connections', {
      agentId,
      kind: 'mail',
      name: 'post',
      host: '127.0.0.1',
      port: mail.port,
      security: 'none',
      from: 'desk@shop.example',
      recipients: ['*'],
    });
    await created('/tools', {
      agentId,
      kind: 'http',
      name: 'refund',
      description: 'Refunds an order',
      approval: 'always',
      display: { title: { en: 'Refund' }, summary: { en: 'Refund order {{order}} in full' } },
      parameters: {
        type: 'object',
        properties: {
          order: {
            type: 'string',
            title: 'Number of the order whose price goes back to the card it was paid with',
          },
        },
        required: ['order'],
      },
      request: { method: 'POST', url: `http://${refunds.host}/refund`, body: { order: '{{order}}' } },
    });
    const keyOf = { tenantId, agentId, kind: 'publishable', allowedOrigins: [shop.origin] };
    const { key } = await created<{ key: string }>('/keys', keyOf);
    shop.page.html = `<script async src="${service.url}/v1/parley.js" data-key="${key}" data-name="Chat with Ada"></script>`;
    const openChat = async () => {
      const page = await context.newPage();
      await page.goto(shop.origin);
      await page.getByRole('button', { name: 'Chat with Ada' }).click();
      return { page, ...chatIn(page) };
    };

    const before = await openChat();
    await before.say('refund, please');
    await expect(before.log).toContainText('Refund');
    await grace.goto(`${service.url}/console#/inbox/waiting`);
    await grace.getByRole('link', { name: /refund, please/ }).click();
    await before.page.close();

    const approval = grace.getByRole('region', { name: 'Approval of refund' });
    // What turns letters around is shown, and does not do it.
    await expect(approval.getByLabel('Arguments')).toContainText('A-\\u202e17');
    await approval.getByRole('button', { name: 'Change it first' }).click();
    const order = approval.getByRole('textbox', { name: 'order' });
    // Long before it is written, or short, a field is the one that it was.
    await order.fill('B'.repeat(60));
    await order.pressSequentially('-2');
    await expect(order).toHaveValue(`${'B'.repeat(60)}-2`);
    await order.fill('B-2');
    await approval.getByRole('button', { name: 'Save the change' }).click();
    await expect(approval).toContainText('Grace changed what the agent wanted to do.');
    await expect(approval.getByLabel('Arguments')).toContainText('B-2');

    await approval.getByRole('button', { name: 'Hand to…' }).click();
    const dialog = grace.getByRole('dialog', { name: 'Hand this approval to a colleague' });
    await dialog.getByLabel('Hand to').selectOption({ label: 'Alan' });
    await dialog.getByLabel('A line for them').fill('You know <her>.');
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await expect(approval).toContainText('Asked of Alan');
    await alan.goto(`${service.url}/console#/inbox/mine`);
    const own = alan.getByRole('link', { name: /refund, please/ });
    await expect(own).toContainText('Asked of you');
    await own.click();
    await expect(alan.getByRole('region', { name: 'Approval of refund' })).toContainText('You know <her>.');

    await approval.getByRole('button', { name: 'Approve' }).click();
    await expect(approval).toContainText('1 of 2 approved: Grace');
    expect(refunds.orders).toEqual([]);

    const handed = () => mail.received.find(({ text }) => text?.includes('Grace has handed it to you'));
    await expect.poll(handed).toBeDefined();
    const link = /http\S+/.exec(handed()?.text ?? '')?.[0] ?? '';
    const page = await (await browser.newContext()).newPage();
    complaint.push(complaints(page));
    await page.goto(service.url + new URL(link).pathname);
    await expect(page.getByRole('heading')).toHaveText('Refund order B-2 in full');
    for (const text of [
      'Grace changed what the agent wanted to do.',
      'Grace has approved it. Two of the team have to.',
      'Grace has handed it to you.',
      '“You know <her>.”',
    ])
      await expect(page.getByText(text)).toBeVisible();
    // A long label leaves its argument room to be read.
    const argument = await page.getByRole('definition').boundingBox();
    expect(argument!.width).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByRole('heading')).toHaveText('Approved');
    await expect(page.getByText(/^By Alan, /)).toBeVisible();
    for (const room of [grace, alan])
      await expect(room.getByRole('region', { name: 'Approval of refund' })).toHaveCount(0);

    const after = await openChat();
    await expect(after.log).toContainText('Refunded B-2.');
    expect(refunds.orders).toEqual(['B-2']);

    await after.say('refund again, please');
    await approval.getByRole('button', { name: 'Change it first' }).click();
    await order.pressSequentially('C');
    // Whoever does not look types on when a colleague has answered.
    await grace.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('.amend')) return;
        observer.disconnect();
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
      });
      observer.observe(document.body, { subtree: true, childList: true });
    });
    await alan
      .getByRole('region', { name: 'Approval of refund' })
      .getByRole('button', { name: 'Decline' })
      .click();
    await expect(after.log).toContainText('Declined: Refund');
    await expect(approval).toHaveCount(0);
    await expect(grace.getByLabel('Note for the team')).not.toBeFocused();
    await expect(async () => {
      await grace.keyboard.press('n');
      await expect(grace.getByLabel('Note for the team')).toBeFocused({ timeout: 1_500 });
    }).toPass();
    expect(refunds.orders).toEqual(['B-2']);
    expect(complaint.flat()).toEqual([]);
  } finally {
    refunds.close();
    shop.close();
    mail.close();
    await service.stop();
  }
});
