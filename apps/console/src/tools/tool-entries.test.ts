import { toolCreateSchema, toolPatchSchema, toolViewSchema } from '@parley/protocol/settings/tool';
import { expect, test } from 'vitest';
import {
  changesOf,
  createOf,
  emptyTool,
  keptSecret,
  missingParameters,
  patchOf,
  storedTool,
  toolField,
  toolProblems,
  withApproval,
  withMethod,
} from './tool-entries.ts';

const secret = (last4: string) => ({ set: true, last4 }) as const;

const view = toolViewSchema.parse({
  id: 'tool_1',
  createdAt: new Date().toISOString(),
  agentId: 'agent_1',
  kind: 'http',
  name: 'refund',
  description: 'Refunds.',
  parameters: { type: 'object', properties: { order: { type: 'string' } }, additionalProperties: false },
  display: { title: { en: 'Refund', de: 'Erstattung' }, summary: { en: 'Refund {{order}}' } },
  request: {
    method: 'POST',
    url: 'https://shop.example/{{order}}',
    query: { page: '1', key: { $secret: secret('key1') } },
    headers: { Authorization: secret('auth'), 'X-Old': secret('old1') },
    body: {
      pin: { $secret: secret('pin1') },
      more: [{ pin: { $secret: secret('pin2') }, order: '{{order}}' }],
    },
  },
  approval: 'once',
  approvalExpiresAfterMs: 300_000,
  idempotent: true,
  interfaces: ['sessions'],
  visibility: 'full',
  timeoutMs: 2_500,
});

test('a stored tool that nobody changed is sent back as it was shown', () => {
  const before = storedTool(view);
  expect(toolProblems(before.entries, before)).toEqual({});
  const patch = patchOf(before.entries, before);
  expect(toolPatchSchema.parse(patch)).toEqual(patch);
  const { id: _id, createdAt: _at, agentId: _agent, kind: _kind, request, ...rest } = view;
  // Header values that are left out stay.
  expect(patch).toEqual({ ...rest, request: { ...request, headers: {} } });
  expect(JSON.stringify(before.entries)).not.toMatch(/key1|auth|pin[12]|old1/);
});

test('of a stored tool only what was changed is saved', () => {
  const before = storedTool(view);
  expect(changesOf(before.entries, before)).toEqual({});
  expect(changesOf({ ...before.entries, description: 'Pays back.' }, before)).toEqual({
    description: 'Pays back.',
  });
  expect(changesOf({ ...before.entries, approvalMinutes: '' }, before)).toEqual({
    approvalExpiresAfterMs: null,
  });
  const secrets = JSON.stringify({ 'header 0': 'Bearer new' });
  expect(Object.keys(changesOf({ ...before.entries, secrets }, before))).toEqual(['request']);
});

test('a secret is replaced, removed with its place, and wanted again for another address', () => {
  const before = storedTool(view);
  const secrets = { 'header 0': 'Bearer new', 'body pin 2': 'new pin' };
  const headers = JSON.stringify([{ id: 'header 0', name: 'Authorization' }]);
  const entries = { ...before.entries, headers, query: '[]', secrets: JSON.stringify(secrets) };
  expect(patchOf(entries, before).request).toMatchObject({
    query: {},
    headers: { Authorization: 'Bearer new', 'X-Old': null },
    body: { pin: { $secret: secret('pin1') }, more: [{ pin: { $secret: 'new pin' } }] },
  });
  const moved = { ...entries, url: 'https://elsewhere.example/{{order}}' };
  expect(toolProblems(moved, before)).toEqual({
    'secret body pin': expect.stringContaining('another address'),
  });
  expect(keptSecret(moved, before, 'body pin')).toBeUndefined();
  const renamed = { ...before.entries, headers: headers.replace('Authorization', 'X-Key') };
  expect(toolProblems(renamed, before)).toHaveProperty(['secret header 0']);
});

test('a new tool has what is entered, and no field that says nothing', () => {
  const entries = {
    ...emptyTool,
    agentId: 'agent_1',
    name: 'look',
    description: ' Looks. ',
    url: 'https://shop.example/',
    query: JSON.stringify([{ id: 'new 1', name: 'token', value: '', secret: true }]),
    body: '{"left": "of another method"}',
    secrets: '{"new 1":"canary"}',
    scope: 'chat',
  };
  expect(toolProblems(entries, null)).toEqual({});
  const create = createOf(entries);
  expect(toolCreateSchema.parse(create)).toEqual(create);
  expect(create).toEqual({
    agentId: 'agent_1',
    kind: 'http',
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object', properties: {} },
    approval: 'never',
    visibility: 'status',
    interfaces: ['chat'],
    timeoutMs: 10_000,
    request: {
      method: 'GET',
      url: 'https://shop.example/',
      query: { token: { $secret: 'canary' } },
      headers: {},
    },
  });
});

test('a tool that writes asks first, until somebody has chosen when it asks', () => {
  const approvals = (entries: typeof emptyTool, ...changes: string[]) =>
    changes.map((value) => {
      const isApproval = ['never', 'once', 'always'].includes(value);
      entries = { ...entries, ...(isApproval ? withApproval(value) : withMethod(entries, value)) };
      return entries.approval;
    });
  expect(approvals(emptyTool, 'POST', 'DELETE', 'HEAD', 'PUT', 'GET')).toEqual([
    'always',
    'always',
    'never',
    'always',
    'never',
  ]);
  expect(approvals(emptyTool, 'POST', 'never', 'PUT', 'GET')).toEqual(['always', 'never', 'never', 'never']);
  expect(approvals(emptyTool, 'always', 'POST', 'GET')).toEqual(['always', 'always', 'always']);
  const stored = (method: 'GET' | 'POST', approval: 'never' | 'always') =>
    storedTool({ ...view, approval, request: { ...view.request, method } }).entries;
  expect(approvals(stored('GET', 'never'), 'POST', 'GET')).toEqual(['always', 'never']);
  expect(approvals(stored('POST', 'never'), 'PUT')).toEqual(['never']);
  expect(approvals(stored('POST', 'always'), 'GET')).toEqual(['always']);
});

test('what is wrong is said at its field', () => {
  const entries = {
    ...emptyTool,
    agentId: 'agent_1',
    method: 'POST',
    url: 'https://shop.example/{{order}}?a=b',
    headers: JSON.stringify([{ id: 'new 1', name: 'Authorization' }]),
    body: '{"order": {{order}}}',
    seconds: '0',
    approval: 'once',
    approvalMinutes: 'soon',
    display: JSON.stringify([{ id: 'new 1', language: 'en', title: '', summary: '{{size}}' }]),
  };
  expect(Object.keys(toolProblems(entries, null)).toSorted()).toEqual([
    'approvalMinutes',
    'body',
    'description',
    'display',
    'name',
    'parameters',
    'seconds',
    'secret new 1',
    'url',
  ]);
  expect(missingParameters(entries)).toEqual(['order', 'size']);
});

test.each([
  ['request.headers.Authorization', 'headers'],
  ['changes.request.body.pin', 'body'],
  ['tool.request', 'parameters'],
  ['parameters.properties.a', 'parameters'],
  ['approvalExpiresAfterMs', 'approvalMinutes'],
  ['name', 'name'],
])('what the service says of %s stands at %s', (path, field) => {
  expect(toolField(path)).toBe(field);
});
