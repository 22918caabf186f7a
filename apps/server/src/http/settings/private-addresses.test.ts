import { expect, test } from 'vitest';
import { chatService } from '../../testing/chat-service.ts';

const service = await chatService();
const opens = /EGRESS_ALLOW=127\.0\.0\.1:4556\b/;
const url = 'http://127.0.0.1:4556/orders';
const script = [{ steps: [{ call: 'find_order', input: {} }, { say: 'It says: {{result}}' }] }];
const request = { method: 'GET', url };

test('whoever names a private address is told what the operator sets to open it', async () => {
  const { tenantId, agentId } = await service.agent([]);

  const tool = { agentId, kind: 'http', name: 'find_order', description: 'Finds.', request };
  const parameters = { type: 'object' };
  const tried = await service.settings('POST', '/tools/test', { tool: { ...tool, parameters }, input: {} });
  expect(tried.body.output).toMatchObject({ code: 'REFUSED', message: expect.stringMatching(opens) });

  const webhook = await service.settings('POST', '/webhooks', {
    tenantId,
    name: 'CRM',
    url,
    events: ['message'],
  });
  expect(webhook.status).toBe(400);
  expect(webhook.body.issues).toMatchObject([{ path: ['url'], message: expect.stringMatching(opens) }]);

  const connection = await service.settings('POST', '/connections', {
    agentId,
    kind: 'mcp',
    name: 'shop',
    url,
  });
  expect(connection.status).toBe(400);
  expect(connection.body.issues).toMatchObject([{ path: ['url'], message: expect.stringMatching(opens) }]);

  const mail = await service.settings('POST', '/connections', {
    agentId,
    kind: 'mail',
    name: 'desk',
    host: '127.0.0.1',
    port: 4556,
    security: 'none',
    from: 'desk@example.com',
    recipients: ['*'],
  });
  expect(mail.body.issues).toMatchObject([{ path: ['host'], message: expect.stringMatching(opens) }]);

  const document = await service.settings('POST', '/tools/document', { agentId, url });
  expect(document.body).toMatchObject({ status: 'failed', message: expect.stringMatching(opens) });
});

test('what opens a private address is told to no model, which would tell visitors', async () => {
  const agent = await service.agent(script, { tools: [{ name: 'find_order', request }] });
  const { body } = await agent.ask('c', 'Where is it?');
  expect(body.text).toContain('Port 4556 is not open');
  expect(body.text).not.toContain('EGRESS_ALLOW');
});
