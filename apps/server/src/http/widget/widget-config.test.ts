import { type WidgetConfig, widgetConfigSchema } from '@parley/protocol/widget-config';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { type SharedService, type TestAgent, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const configOf = async ({ publishable }: TestAgent) =>
  widgetConfigSchema.parse((await request(`${service.url}/v1/config?key=${publishable.key}`)).body);

test('a page is told what visitors may send and what they are asked first, and nothing else', async () => {
  const files = { types: ['image/*'], totalBytes: 1_000 };
  const widget = {
    avatar:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    languages: { de: { greeting: 'Hallo!', prompts: ['Wo ist meine Bestellung?'] } },
    teaser: 'Questions?',
    consent: { text: 'Messages are kept for 30 days.', link: 'https://example.com/privacy' },
    form: {
      title: 'Before we start',
      fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true }],
    },
  };
  const instructions = 'canary';
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }], { agent: { files, widget, instructions } });
  expect(await configOf(agent)).toEqual({
    ok: true,
    platform: 'parley',
    widget: {
      name: 'Ada',
      greeting: 'Hi! How can I help?',
      prompts: [],
      accent: '#2563eb',
      theme: 'auto',
      position: 'end',
      ...widget,
    },
    files,
    tools: {},
  });
});

test('a page is told how visitors see the tools that say so, and of no other tool', async () => {
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }]);
  const tool = (name: string, more: object) =>
    service.settings('POST', '/tools', {
      agentId: agent.agentId,
      kind: 'http',
      name,
      description: 'canary',
      parameters: {
        type: 'object',
        properties: { order: { type: 'string', title: 'Order number' }, reason: { type: 'string' } },
      },
      request: { method: 'GET', url: 'https://tools.example.com/{{order}}' },
      ...more,
    });
  const display = {
    title: { en: 'Refund', 'pt-BR': 'Reembolso' },
    summary: { en: 'Refund order {{order}} in full' },
  };
  await tool('refund_order', { display });
  await tool('hidden', {});
  await tool('of_servers', { display, interfaces: ['chat'] });
  const { tools } = (await configOf(agent)) as Extract<WidgetConfig, { ok: true }>;
  expect(tools).toEqual({ refund_order: { ...display, labels: { order: 'Order number' } } });
});

test('null takes back what was asked first, and restores what files may be', async () => {
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }], {
    agent: { files: { types: [], totalBytes: 5 }, widget: { teaser: 'Hi', consent: { text: 'OK?' } } },
  });
  await service.settings('PATCH', `/agents/${agent.agentId}`, {
    files: { types: null },
    widget: { teaser: null },
  });
  const types = ['image/*', 'application/pdf', 'text/*', 'application/json'];
  const patched = await configOf(agent);
  expect(patched).toMatchObject({ files: { types, totalBytes: 5 }, widget: { consent: { text: 'OK?' } } });
  expect(patched).not.toHaveProperty('widget.teaser');
  await service.settings('PATCH', `/agents/${agent.agentId}`, { files: null, widget: { consent: null } });
  const restored = await configOf(agent);
  expect(restored).toMatchObject({ files: { types, totalBytes: 10_485_760 } });
  expect(restored).not.toHaveProperty('widget.consent');
});
