import { randomUUID } from 'node:crypto';
import { isCredentialName } from '@parley/protocol/settings/credential-name';
import { openapiDocument } from '@parley/protocol/openapi';
import type { Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { expect, test } from 'vitest';
import { codeOf, fromBase32 } from '../../testing/authenticator-app.ts';
import {
  attempt,
  joined,
  type Json,
  post,
  signedIn,
  targetOf,
  tenantOf,
} from '../../testing/route-samples.ts';
import { type Answer, testService } from '../../testing/test-service.ts';

const table: readonly Route[] = routes('parley');
const bodyNames = new Set(table.flatMap(({ body }) => (body && body !== 'bytes' ? [body.name] : [])));
const components = Object(openapiDocument('parley')['components']).schemas as Record<string, Json>;

interface Field {
  /** `AgentCreate.model.apiKey`; `*` stands for any name, `[]` for any place of a list. */
  readonly path: string;
  readonly schema: Json;
}

/** Every field of what is sent, those of each alternative included. */
function fieldsOf(schema: unknown, path: string, within: readonly string[] = []): Field[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => fieldsOf(each, path, within));
  const { $ref, properties, items, additionalProperties, anyOf, oneOf, allOf } = Object(schema) as Json;
  const referred = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : '';
  const deeper = (each: unknown, at: string) => fieldsOf(each, at, [...within, referred]);
  if (referred !== '') return within.includes(referred) ? [] : deeper(components[referred], path);
  return [
    { path, schema: Object(schema) as Json },
    ...Object.entries(Object(properties) as Json).flatMap(([name, each]) => deeper(each, `${path}.${name}`)),
    ...(items ? deeper(items, `${path}[]`) : []),
    ...(additionalProperties ? deeper(additionalProperties, `${path}.*`) : []),
    ...[anyOf, oneOf, allOf].flatMap((each) => (each ? deeper(each, path) : [])),
  ];
}

const requests = [...bodyNames].flatMap((name) => fieldsOf(components[name], name));
const writeOnlyPaths = new Set(requests.flatMap(({ path, schema }) => (schema['writeOnly'] ? [path] : [])));

/** No secret, or a right that was shown to whoever sends it. */
const isShown = /\.(?:accessKeyId|continuationToken)$|^(?:Invitation(?:Accept|Token)|TransferClaim)\.token$/;

test('what is called like a credential is written only, and no answer has such a field', () => {
  const unmarked = requests
    .filter(
      ({ schema: { type }, path }) => type === 'string' && isCredentialName(path.split('.').at(-1) ?? ''),
    )
    .filter(({ path }) => !writeOnlyPaths.has(path) && !isShown.test(path));
  expect(unmarked.map(({ path }) => path)).toEqual([]);
  const answers = Object.keys(components).filter((name) => !bodyNames.has(name));
  const shown = answers.flatMap((name) => fieldsOf(components[name], name));
  expect(shown.filter(({ schema }) => schema['writeOnly']).map(({ path }) => path)).toEqual([]);
  expect(writeOnlyPaths.size).toBeGreaterThan(25);
});

let canaries = 0;
/** Another one each time: 36 characters that could be any secret. */
const canary = () => `canary-${String(++canaries).padStart(3, '0')}-${'x'.repeat(20)}-end`;

interface Sample {
  readonly body: () => Json;
  /** In place of what the route is tried on by default. */
  readonly of?: Json;
  /** It is refused for what it says: that is an answer, too. */
  readonly refused?: true;
}

const address = 'https://secrets.invalid/';
const model = () => ({
  provider: 'amazon-bedrock',
  model: 'm',
  region: 'eu-central-1',
  baseUrl: address,
  accessKeyId: 'known',
  apiKey: canary(),
  secretAccessKey: canary(),
  sessionToken: canary(),
});
const identity = () => ({ secret: canary(), toolSecret: canary() });
const request = () => ({
  method: 'POST',
  url: address,
  headers: { 'x-plain': canary(), authorization: canary() },
  query: { pin: { $secret: canary() }, api_key: canary() },
  body: { pin: { $secret: canary() }, login: { password: canary() } },
});
const tool = () => ({
  kind: 'http',
  name: `tool_${randomUUID().slice(0, 8)}`,
  description: 'A tool',
  parameters: { type: 'object' },
  request: request(),
});
const name = () => `c${randomUUID().slice(0, 8)}`;
const mcp = { kind: 'mcp', url: address, signIn: 'none' };
const oauth = { ...mcp, signIn: 'visitor', clientId: 'known', clientIssuer: 'https://issuer.example/' };
const mail = {
  kind: 'mail',
  host: 'smtp.invalid',
  user: 'ada',
  from: 'a@shop.example',
  recipients: ['*'],
};
const composio = { kind: 'composio', url: address, toolkit: 'gmail', signIn: 'none' };

/** Bodies that hold a canary in every field that is written only, by their name in the reference. */
const samplesOf = ({ tenantId, agentId }: { tenantId: string; agentId: string }) => {
  const connection = (of: Json, secrets: () => Json): Sample => ({
    body: () => ({ agentId, name: name(), ...of, ...secrets() }),
  });
  const patched = (of: Json, secrets: () => Json): Sample => ({
    body: secrets,
    of: { agentId, name: name(), ...of },
  });
  const samples: Record<string, readonly Sample[]> = {
    AgentCreate: [{ body: () => ({ tenantId, name: 'Ada', model: model(), identity: identity() }) }],
    AgentPatch: [{ body: () => ({ model: model(), identity: identity() }) }],
    AgentDraftPatch: [{ body: () => ({ model: model() }) }],
    ModelTest: [{ body: () => ({ model: model() }) }],
    ToolCreate: [{ body: () => ({ agentId, ...tool() }) }],
    ToolPatch: [{ body: () => ({ request: request() }) }],
    ToolTest: [{ body: () => ({ changes: { request: request() } }) }],
    NewToolTest: [{ body: () => ({ tool: { agentId, ...tool() } }) }],
    ConnectionCreate: [
      connection(mcp, () => ({ token: canary() })),
      connection(oauth, () => ({ clientSecret: canary() })),
      connection(mail, () => ({ password: canary() })),
      connection(composio, () => ({ apiKey: canary() })),
    ],
    ConnectionPatch: [
      patched(mcp, () => ({ token: canary() })),
      patched(oauth, () => ({ clientSecret: canary() })),
      patched(mail, () => ({ password: canary() })),
      patched({ ...composio, apiKey: 'known' }, () => ({ apiKey: canary() })),
    ],
    SignIn: [{ body: () => ({ name: 'Somebody', password: canary(), code: canary() }), refused: true }],
    PasswordConfirmation: [{ body: () => ({ password: canary() }), refused: true }],
    PasswordChange: [
      { body: () => ({ password: canary(), newPassword: canary() }), refused: true },
      { body: () => ({ password: 'correct horse battery', newPassword: canary() }) },
    ],
    SecondFactorConfirm: [{ body: () => ({ setup: 'x'.repeat(40), code: canary() }), refused: true }],
  };
  return samples;
};

/** The paths of a body's canaries. */
function canariesOf(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.startsWith('canary-') ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((each) => canariesOf(each, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, each]) => canariesOf(each, `${path}.${field}`));
}

const isAt = (pattern: string) => {
  const [first = '', ...others] = pattern
    .split('*')
    .map((part) => part.replaceAll(/[$.[\]]/g, String.raw`\$&`));
  const expression = new RegExp(`^${[first, ...others].join('[^.]+')}$`);
  return (path: string) => expression.test(path);
};

test('a canary in every field that is written only is found nowhere', { timeout: 600_000 }, async () => {
  const service = await testService({ TRUST_PROXY: '1', LOG_LEVEL: 'trace' });
  const own = await tenantOf(service);
  const samples = samplesOf(own);
  const said: string[] = [];
  const sent: string[] = [];
  const wrong: string[] = [];
  const note = (of: string, value: unknown) => said.push(`${of}: ${JSON.stringify(value)}`);

  const accepted = { token: '', name: randomUUID(), password: canary() };
  accepted.token = String(
    (await service.settings('POST', '/invitations', { tenantId: null, role: 'owner' })).body.token,
  );
  sent.push(...canariesOf(accepted, 'InvitationAccept'));
  const headers = { 'x-forwarded-for': '203.0.113.9', 'x-parley-console': '1' };
  note('acceptInvitation', await post(service, '/api/v1/settings/invitations/accept', headers, accepted));

  for (const route of table) {
    const { body } = route;
    if (!body || body === 'bytes') continue;
    for (const { body: sample, of, refused } of samples[body.name] ?? []) {
      const as = await signedIn(service, { role: 'owner', tenantId: null });
      const target = of
        ? { id: (await own.created('/connections', of))['id'] ?? '', token: '' }
        : await targetOf(service, route, own, as, as);
      const json = sample();
      sent.push(...canariesOf(json, body.name));
      const unknown = await attempt(service, route, own, target, as, { ...json, unknown: canary() });
      const tried = await attempt(service, route, own, target, as, json);
      note(`${route.name} with an unknown field`, unknown);
      note(route.name, tried);
      if (unknown.status < 400) wrong.push(`${route.name} takes an unknown field`);
      if (tried.status < 400 === (refused === true))
        wrong.push(`${route.name}: ${tried.status} ${JSON.stringify(tried.body).slice(0, 300)}`);
      if (route.name.startsWith('create') || route.name === 'acceptInvitation') continue;
      const path = route.path.replace(':id', target.id);
      if (table.some((each) => each.method === 'get' && each.path === route.path))
        note(`read after ${route.name}`, (await service.call(path, { headers: as })).body);
    }
  }
  const lists = ['/agents', '/tools', '/connections', '/members', '/audit'];
  for (const list of lists) note(list, (await service.settings('GET', `${list}?limit=100`)).body);

  expect(wrong).toEqual([]);
  expect([...writeOnlyPaths].filter((path) => !sent.some(isAt(path)))).toEqual([]);
  expect([...said, ...service.log].filter((each) => each.includes('canary-'))).toEqual([]);
  expect(await service.stored.count('canary-')).toBe(0);
});

test('what is shown once is in nothing but that answer', async () => {
  const service = await testService({ TRUST_PROXY: '1', LOG_LEVEL: 'trace' });
  const { tenantId, agentId } = await tenantOf(service);
  const member = await joined(service, { role: 'owner', tenantId }, 'Ada');
  const [, session = ''] = /=(.*)$/.exec(String(member.headers['cookie'])) ?? [];
  const made = async (method: string, path: string, body?: unknown): Promise<Answer['body']> =>
    (await service.settings(method, path, body)).body;
  const webhook = await made('POST', '/webhooks', {
    tenantId,
    name: 'CRM',
    url: 'https://hooks.invalid/',
    events: ['message'],
  });
  const key = await made('POST', '/keys', { tenantId, agentId, kind: 'secret' });
  const setup = (await post(service, '/api/v1/settings/session/second-factor', member.headers, {
    password: 'correct horse battery',
  })) as { setup: string; secret: string };
  const code = codeOf(fromBase32(setup.secret));
  const confirmed = (await post(service, '/api/v1/settings/session/second-factor/confirm', member.headers, {
    setup: setup.setup,
    code,
  })) as { recoveryCodes: string[] };
  const shown: Record<string, unknown> = {
    session,
    webhook: webhook.secret,
    rotated: (await made('POST', `/webhooks/${webhook.id}/rotate`)).secret,
    key: key.key,
    regenerated: (await made('POST', `/keys/${key.id}/regenerate`)).key,
    invitation: (await made('POST', '/invitations', { tenantId, role: 'viewer' })).token,
    authenticator: setup.secret,
    'recovery code': confirmed.recoveryCodes[0],
  };
  const later: string[] = [...service.log];
  for (const path of [
    '/webhooks',
    `/webhooks/${webhook.id}`,
    '/keys',
    `/keys/${key.id}`,
    '/invitations',
    '/members',
    '/audit',
  ])
    later.push(JSON.stringify(await made('GET', path)));
  for (const [what, secret] of Object.entries(shown)) {
    expect(String(secret).length, what).toBeGreaterThan(8);
    expect(later.filter((each) => each.includes(String(secret))).length, what).toBe(0);
    expect(await service.stored.count(String(secret)), what).toBe(0);
  }
});
