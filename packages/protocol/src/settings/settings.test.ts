import { expect, test } from 'vitest';
import type { z } from 'zod';
import { agentViewSchema, agentCreateSchema, agentPatchSchema, agentSettingsSchema } from './agent.ts';
import { listView } from './view.ts';
import { keyCreateSchema, keyPatchSchema } from './key.ts';
import { limitsSchema } from './limits.ts';
import { modelSettingsSchema } from './model.ts';
import { scriptSchema } from './script.ts';
import { tenantCreateSchema } from './tenant.ts';
import { toolViewSchema, toolCreateSchema, toolPatchSchema } from './tool.ts';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const scripted = { provider: 'scripted', script: [{ steps: [{ say: '{{input}}' }] }] };
const agent = { tenantId: 'ten_1', name: 'Support', model: scripted };
const tool = {
  agentId: 'agent_1',
  kind: 'http',
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  request: { method: 'GET', url: 'https://api.example.com/cities/{{city}}', query: { units: '{{units}}' } },
};

test('an agent gets every default', () => {
  expect(agentCreateSchema.parse(agent)).toMatchObject({
    instructions: '',
    active: true,
    reasoning: { show: false },
    maxSteps: 20,
    approvalsOnChat: false,
    outputSchemaForVisitors: false,
    widget: { theme: 'auto', position: 'end', prompts: [] },
    files: {
      types: ['image/*', 'application/pdf', 'text/*', 'application/json'],
      totalBytes: 10 * 1024 * 1024,
    },
    retentionDays: 30,
  });
});

test('what is stored can be stored again', () => {
  const stored = { ...agentCreateSchema.parse(agent), id: 'agent_1', createdAt: '2026-11-20T16:06:20.586Z' };
  expect(agentSettingsSchema.parse(stored)).toEqual(stored);
});

test('unknown fields are refused everywhere', () => {
  expect(accepts(tenantCreateSchema, { name: 'A', plan: 'pro' })).toBe(false);
  expect(accepts(agentCreateSchema, { ...agent, css: 'x' })).toBe(false);
  expect(accepts(agentCreateSchema, { ...agent, widget: { css: 'x' } })).toBe(false);
  expect(accepts(agentCreateSchema, { ...agent, limits: { turnsPerYear: 1 } })).toBe(false);
  expect(accepts(agentCreateSchema, { ...agent, model: { ...scripted, temperature: 1 } })).toBe(false);
  expect(accepts(keyCreateSchema, { tenantId: 't', kind: 'secret', key: 'sk_live_x' })).toBe(false);
  expect(accepts(toolCreateSchema, { ...tool, request: { ...tool.request, redirect: 'follow' } })).toBe(
    false,
  );
});

test.each([
  { provider: 'openai', model: 'gpt-5', apiKey: 'sk-x' },
  { provider: 'anthropic', model: 'claude' },
  { provider: 'google', model: 'gemini', baseUrl: 'http://127.0.0.1:4010/v1beta' },
  { provider: 'mistral', model: 'large' },
  { provider: 'azure', model: 'deployment', resourceName: 'firm' },
  {
    provider: 'amazon-bedrock',
    model: 'nova',
    region: 'eu-central-1',
    accessKeyId: 'A',
    secretAccessKey: 'B',
  },
  { provider: 'openai-compatible', model: 'llama', baseUrl: 'http://localhost:11434/v1' },
])('$provider is a provider', (model) => {
  expect(modelSettingsSchema.parse(model)).toEqual(model);
});

test('a provider needs what is its own', () => {
  expect(accepts(modelSettingsSchema, { provider: 'openai' })).toBe(false);
  expect(accepts(modelSettingsSchema, { provider: 'openai-compatible', model: 'llama' })).toBe(false);
  expect(accepts(modelSettingsSchema, { provider: 'amazon-bedrock', model: 'nova' })).toBe(false);
  expect(
    accepts(modelSettingsSchema, { provider: 'openai', model: 'x', baseUrl: 'file:///etc/passwd' }),
  ).toBe(false);
  expect(accepts(modelSettingsSchema, { provider: 'acme', model: 'x' })).toBe(false);
});

test.each(['evil.example/', 'eu-central-1.evil.example', 'a@evil.example:80#', 'eu', 'EU-CENTRAL-1'])(
  'a region that could be another host is refused: %s',
  (region) => {
    const model = { provider: 'amazon-bedrock', model: 'nova', region };
    expect(accepts(agentCreateSchema, { ...agent, model })).toBe(false);
    expect(accepts(agentPatchSchema, { model })).toBe(false);
    expect(accepts(agentPatchSchema, { model: { ...model, region: 'us-gov-west-1' } })).toBe(true);
    // What is stored is read, so that it can be mended.
    expect(accepts(modelSettingsSchema, model)).toBe(true);
  },
);

test('every step of the documented script', () => {
  const option = { id: 'red', label: 'Red' };
  const steps = [
    { say: 'word ', repeat: 2_000, delayMs: 10 },
    { reason: 'Considering.' },
    { call: 'get_weather', input: { city: '{{1}}' } },
    { ask: { prompt: 'Which colour?', options: [option], allowFreeform: true } },
    { ask: { prompt: 'Which ones?', options: [option], multiple: true } },
    { ask: { prompt: 'Who are you?', fields: [{ name: 'email', label: 'E-mail', type: 'email' }] } },
    { wait: 1_000 },
    { fail: 'boom' },
    { finish: 'length' },
  ];
  const script = [{ when: 'weather in (\\w+)', steps }, { steps: [{ say: '{{input}}' }] }];
  expect(scriptSchema.parse(script)).toEqual(script);
  for (const step of [
    {},
    { sing: 'la' },
    { say: 1 },
    { say: 'x', call: 'y' },
    { finish: 'tool-calls' },
    { wait: -1 },
    { ask: { prompt: 'Who are you?', fields: [{ label: 'E-mail' }] } },
  ]) {
    expect(accepts(scriptSchema, [{ steps: [step] }]), JSON.stringify(step)).toBe(false);
  }
  expect(accepts(scriptSchema, [{ when: 'x'.repeat(1_001), steps }])).toBe(false);
});

test('credentials never pass an answer', () => {
  const createdAt = '2026-11-20T16:06:20.586Z';
  const stored = { ...agentCreateSchema.parse(agent), id: 'agent_1', revision: 1, createdAt };
  const model = { provider: 'openai', model: 'gpt-5', apiKey: 'sk-secret' };
  expect(accepts(agentViewSchema, { ...stored, model })).toBe(false);
  expect(
    accepts(agentViewSchema, { ...stored, model: { ...model, apiKey: { set: true, last4: 'cret' } } }),
  ).toBe(true);
});

test('the widget takes tokens, not CSS', () => {
  const widget = (fields: object) => accepts(agentCreateSchema, { ...agent, widget: fields });
  expect(widget({ accent: '#FF00aa', privacyUrl: 'https://example.com/privacy', prompts: ['Hi'] })).toBe(
    true,
  );
  for (const accent of ['red', '#fff', 'url(x)', '#12345g', '#2563eb;'])
    expect(widget({ accent }), accent).toBe(false);
  expect(widget({ privacyUrl: 'javascript:alert(1)' })).toBe(false);
  expect(widget({ position: 'left' })).toBe(false);
  expect(widget({ avatar: 'data:image/png;base64,iVBORw0KGgo=' })).toBe(true);
  for (const avatar of [
    'https://example.com/logo.png',
    'data:text/html;base64,iVBORw0KGgo=',
    'data:image/png;base64,a)url(https://example.com',
    `data:image/png;base64,${'a'.repeat(24_000)}`,
  ])
    expect(widget({ avatar }), avatar).toBe(false);
  expect(widget({ languages: { 'pt-BR': { greeting: 'Oi!', prompts: ['Onde está?'] } } })).toBe(true);
  expect(widget({ languages: { 'pt_BR!': { greeting: 'Oi!' } } })).toBe(false);
  expect(widget({ languages: { de: { accent: '#ffffff' } } })).toBe(false);
});

test('what a visitor is asked before the first message is bounded', () => {
  const widget = (fields: object) => accepts(agentCreateSchema, { ...agent, widget: fields });
  const field = { name: 'email', label: 'E-mail', type: 'email', required: true };
  expect(
    widget({
      teaser: 'Questions?',
      consent: { text: 'Messages are kept for 30 days.', link: 'https://example.com/privacy' },
      form: { title: 'Before we start', fields: [field] },
    }),
  ).toBe(true);
  expect(widget({ teaser: 'x'.repeat(201) })).toBe(false);
  expect(widget({ consent: { text: '' } })).toBe(false);
  expect(widget({ consent: { text: 'Yes', link: 'javascript:alert(1)' } })).toBe(false);
  expect(widget({ form: { fields: [] } })).toBe(false);
  expect(widget({ form: { fields: [field, field] } })).toBe(false);
  const eleven = Array.from({ length: 11 }, (_, index) => ({ ...field, name: `field${index}` }));
  expect(widget({ form: { fields: eleven } })).toBe(false);
});

test.each([
  [['image/*', 'application/vnd.oasis.opendocument.text'], true],
  [[], true],
  [['*/*'], false],
  [['pdf'], false],
  [['text/plain; charset=utf-8'], false],
])('files of the types %j are a setting: %s', (types, accepted) => {
  expect(accepts(agentCreateSchema, { ...agent, files: { types } })).toBe(accepted);
});

test('the files of a message have at most 10 MiB', () => {
  expect(accepts(agentCreateSchema, { ...agent, files: { totalBytes: 10_485_760 } })).toBe(true);
  expect(accepts(agentCreateSchema, { ...agent, files: { totalBytes: 10_485_761 } })).toBe(false);
  expect(accepts(agentCreateSchema, { ...agent, files: { totalBytes: 0 } })).toBe(false);
});

test('null restores a default, a name has none', () => {
  const patch = {
    instructions: null,
    maxSteps: null,
    limits: { tokensPerDay: null },
    widget: null,
    files: { types: null, totalBytes: null },
    reasoning: { effort: null },
  };
  expect(agentPatchSchema.parse(patch)).toEqual(patch);
  const asked = { widget: { teaser: null, consent: null, form: null } };
  expect(agentPatchSchema.parse(asked)).toEqual(asked);
  expect(agentPatchSchema.parse({})).toEqual({});
  expect(accepts(agentPatchSchema, { name: null })).toBe(false);
  expect(accepts(agentPatchSchema, { tenantId: 't' })).toBe(false);
  expect(accepts(agentPatchSchema, { model: { provider: 'openai', model: 'x', apiKey: null } })).toBe(true);
  expect(toolPatchSchema.parse({ request: { headers: { authorization: null } }, idempotent: null })).toEqual({
    request: { headers: { authorization: null } },
    idempotent: null,
  });
  expect(keyPatchSchema.parse({ agentId: null })).toEqual({ agentId: null });
});

test('origins are exact, or a wildcard of one label', () => {
  const listed = (origin: string) =>
    accepts(keyCreateSchema, { tenantId: 't', kind: 'publishable', allowedOrigins: [origin] });
  for (const origin of ['https://a.example', 'http://localhost:3000', 'https://*.a.example', '*']) {
    expect(listed(origin), origin).toBe(true);
  }
  for (const origin of [
    'null',
    'a.example',
    'https://a.example/',
    'https://A.example',
    'https://a.example:443',
    'http://*.a.example',
    'https://*',
    'https://u@a.example',
    'ftp://a.example',
    '',
  ]) {
    expect(listed(origin), origin).toBe(false);
  }
});

test('a tool has a literal host and an object of parameters', () => {
  expect(toolCreateSchema.parse(tool)).toMatchObject({
    approval: 'never',
    interfaces: ['chat', 'sessions'],
    visibility: 'status',
    timeoutMs: 10_000,
  });
  const url = (value: string) =>
    accepts(toolCreateSchema, { ...tool, request: { method: 'POST', url: value, body: { a: ['{{b}}'] } } });
  expect(url('https://api.example.com')).toBe(true);
  expect(url('http://127.0.0.1:4000/a/{{b}}/c')).toBe(true);
  for (const value of [
    'https://{{host}}/a',
    'https://u:p@example.com/',
    'ftp://example.com/',
    '/a',
    'https://example.com/?q={{q}}',
    'https://example.com/#a',
    'https://example.com?q=1',
  ]) {
    expect(url(value), value).toBe(false);
  }
  expect(accepts(toolCreateSchema, { ...tool, parameters: { type: 'array' } })).toBe(false);
  expect(accepts(toolCreateSchema, { ...tool, name: 'ask_question' })).toBe(false);
  expect(accepts(toolCreateSchema, { ...tool, name: 'get weather' })).toBe(false);
  expect(accepts(toolCreateSchema, { ...tool, timeoutMs: 120_001 })).toBe(false);
  const headers = { authorization: 'Bearer secret' };
  const stored = {
    ...toolCreateSchema.parse(tool),
    id: 'tool_1',
    createdAt: '2026-11-20T16:06:20.586Z',
    idempotent: true,
  };
  expect(accepts(toolViewSchema, stored)).toBe(true);
  expect(accepts(toolViewSchema, { ...stored, request: { ...tool.request, headers } })).toBe(false);
});

test('a list answers items and the next cursor', () => {
  const list = listView(tenantCreateSchema);
  expect(accepts(list, { items: [{ name: 'A' }], next: null })).toBe(true);
  expect(accepts(list, { items: [{ name: 'A' }] })).toBe(false);
});

test('every limit has a default, and null goes back to it', () => {
  const { limits } = agentCreateSchema.parse(agent);
  expect(Object.keys(limits)).toEqual(Object.keys(limitsSchema.shape));
  for (const name of Object.keys(limits)) {
    expect(accepts(agentPatchSchema, { limits: { [name]: null } })).toBe(true);
    expect(accepts(agentPatchSchema, { limits: { [name]: 0 } })).toBe(false);
  }
  expect(agentPatchSchema.parse({ limits: {} })).toEqual({ limits: {} });
  expect(accepts(agentPatchSchema, { limits: { turnsPerSession: null } })).toBe(false);
});
