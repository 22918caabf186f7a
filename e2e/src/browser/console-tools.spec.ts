import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { openModelEndpoint } from '../crash/model-endpoint.ts';
import { startServer } from '../server.ts';
import { check, complaints } from './console-check.ts';

const description = {
  openapi: '3.1.0',
  servers: [{ url: '/' }],
  paths: {
    '/orders/{order}': {
      get: {
        operationId: 'findOrder',
        summary: 'Look up an order',
        parameters: [{ name: 'order', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
    '/orders': { get: { operationId: 'listOrders', summary: 'List all orders' } },
  },
};

/** A shop's own service, which keeps what it was sent. */
async function openShop() {
  const calls: { line: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const isDescription = request.url === '/openapi.json';
    const body = await text(request);
    const line = `${request.method} ${request.url}`;
    if (!isDescription) calls.push({ line, authorization: request.headers.authorization, body });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isDescription ? description : { refunded: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, calls, close: () => server.close() };
}

const script = [
  {
    when: 'refund (\\S+)',
    steps: [
      { call: 'refund', input: { order: '{{1}}', reason: 'Asked for.' } },
      { say: 'It came back: {{result}}' },
    ],
  },
];

test('a tool is made of a curl line, tried, and used in a conversation once the visitor approves', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const shop = await openShop();
  const model = await openModelEndpoint(['Ready.'], 1);
  const environment = { EGRESS_ALLOW: `${shop.host},${model.address}` };
  const service = await startServer({ environment });
  const found = complaints(page);
  try {
    const tenant = await service.settings<{ id: string }>('POST', '/tenants', { name: 'Fernhill' });
    const ofTenant = { tenantId: tenant.id };
    const agent = await service.settings<{ id: string }>('POST', '/agents', {
      ...ofTenant,
      name: 'Fern',
      model: { provider: 'scripted', script },
    });
    await service.settings('POST', '/keys', { ...ofTenant, agentId: agent.id, kind: 'publishable' });
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();

    await test.step('the line becomes a tool, its key a secret that a reload forgets', async () => {
      await page.getByRole('link', { name: 'Tools' }).click();
      await page.getByRole('link', { name: 'Import' }).click();
      await page.getByLabel('The line').fill('wget https://example.com');
      await page.getByRole('button', { name: 'Make a tool' }).click();
      await expect(page.getByText('A curl line begins with curl.')).toBeVisible();
      await page
        .getByLabel('The line')
        .fill(
          `curl -X POST '${shop.url}/orders/{{order}}/refund' -H 'Authorization: Bearer canary-key' --json '{"reason":"late"}'`,
        );
      await page.getByRole('button', { name: 'Make a tool' }).click();
      await page.getByLabel('Name').first().fill('refund');
      await page.getByLabel('When the agent should use it').fill('When a visitor wants their money back.');
      expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
        'canary',
      );
      await page.reload();
      await page.getByRole('button', { name: 'Save tool' }).click();
      const header = page.getByRole('group', { name: 'header 1' });
      await expect(header.getByText('Enter it.')).toBeVisible();
      await expect(page.getByLabel('When the agent should use it')).toHaveValue(/money back/);
      await header.getByLabel('Value').fill('Bearer canary-key');
    });

    const trial = page.getByRole('group', { name: 'Try it' });
    await test.step('it is tried before it is saved, and shows what was sent without the key', async () => {
      await page
        .getByRole('group', { name: 'Parameter reason' })
        .getByLabel('What it is')
        .fill('Why, in a few words.');
      await expect(page.getByLabel('The same as JSON Schema')).toHaveValue(/Why, in a few words/);
      await trial.getByLabel('order').fill('A-17');
      await trial.getByLabel('reason').fill('It came late.');
      await trial.getByRole('button', { name: 'Send the request' }).click();
      const sent = trial.getByRole('region', { name: 'What was sent' });
      await expect(sent).toContainText('authorization: [redacted]');
      await expect(trial.getByRole('region', { name: 'What the agent sees' })).toContainText('refunded');
      await expect(sent).toContainText('It came late.');
      await check(page);
      await page.getByRole('button', { name: 'Add language' }).click();
      const language = page.getByRole('group', { name: 'language 1' });
      await language.getByLabel('Title').fill('Refund');
      await language.getByLabel('Summary').fill('Refund order {{order}}');
      await page.getByRole('button', { name: 'Save tool' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'refund' })).toContainText('Asks first');
    });

    await test.step('an API at an address is a list to pick from', async () => {
      await page.getByRole('link', { name: 'Import' }).click();
      await page.getByRole('button', { name: 'An OpenAPI document' }).click();
      await page.getByLabel('Its address').fill(`${shop.url}/openapi.json`);
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByLabel('Look up an order').check();
      await page.getByLabel('List all orders').check();
      await check(page);
      await page.getByRole('button', { name: 'Make 2 tools' }).click();
      await expect(page.getByRole('heading', { name: 'Look over tool 1 of 2' })).toBeVisible();
      await expect(page.getByLabel('Address')).toHaveValue(`${shop.url}/orders/{{order}}`);
      await page.getByRole('button', { name: 'Save and next' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'find_order' })).toContainText('by itself');
      await check(page);
      await page.getByRole('link', { name: 'find_order' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete tool' }).click();
      await expect(page.getByRole('link', { name: 'refund' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'find_order' })).toHaveCount(0);
    });

    await test.step('a change keeps the key that is stored', async () => {
      await page.getByRole('link', { name: 'refund' }).click();
      await expect(page.getByPlaceholder('Stored, ends in -key. Type to replace it.')).toBeVisible();
      await page.getByLabel('Time to answer').fill('20');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Everything is saved.')).toBeVisible();
    });

    await test.step('a visitor is asked, and then it is done once', async () => {
      await page.getByRole('link', { name: 'Agents' }).first().click();
      await page.getByRole('link', { name: /Fern/ }).click();
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByRole('textbox').fill('Please refund B-4');
      await preview.getByRole('textbox').press('Enter');
      const approval = preview.getByRole('group', { name: 'Refund order B-4' });
      await expect(approval).toContainText('Asked for.');
      expect(shop.calls).toHaveLength(1);
      await approval.getByRole('button', { name: 'Approve' }).click();
      await expect(preview.getByRole('log')).toContainText('It came back: {"refunded":true}');
      const authorization = 'Bearer canary-key';
      expect(shop.calls).toEqual([
        { line: 'POST /orders/A-17/refund', authorization, body: '{"reason":"It came late."}' },
        { line: 'POST /orders/B-4/refund', authorization, body: '{"reason":"Asked for."}' },
      ]);
    });

    await test.step('a model is tried before it is saved', async () => {
      await page.getByLabel('Provider').selectOption({ label: 'OpenAI-compatible service' });
      await page.getByLabel('Model', { exact: true }).fill('paced');
      await page.getByLabel('Address').fill('http://10.0.0.1:8080/v1');
      await page.getByRole('button', { name: 'Test the model' }).click();
      await expect(page.getByText('The service may not reach the address')).toBeVisible();
      await page.getByLabel('Address').fill(model.url);
      await page.getByRole('button', { name: 'Test the model' }).click();
      await expect(page.getByText('It answers, after')).toBeVisible();
    });
    expect(found).toEqual([]);
  } finally {
    await service.stop();
    shop.close();
    model.close();
  }
});
