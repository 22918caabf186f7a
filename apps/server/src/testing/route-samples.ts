import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { consoleHeader } from '@parley/protocol/paths';
import type { Route } from '@parley/protocol/route';
import type { MemberRole } from '@parley/protocol/settings/member';
import { expect } from 'vitest';
import { ampleLimits } from './ample-limits.ts';
import { codeOf, fromBase32 } from './authenticator-app.ts';
import { authenticator } from './passkey.ts';
import type { TestService } from './test-service.ts';
import { as, identitySecret } from './visitor-token.ts';

const root = join(import.meta.dirname, '../../../..');
const widget = join(root, 'packages/widget');
const consoleAssets = join(root, 'apps/console/dist/assets');

type Headers = Record<string, string>;
export type Json = Record<string, unknown>;

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A tenant with an agent, its keys and a tool. */
export async function tenantOf(service: TestService, agentFields: Json = {}) {
  const created = async (path: string, body: Json): Promise<Record<string, string>> => {
    const response = await service.settings('POST', path, body);
    expect(response.status, `${path} ${JSON.stringify(response.body)}`).toBe(201);
    return response.body;
  };
  const { id: tenantId = '' } = await created('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script: [{ steps: [{ say: '{{input}}' }] }] };
  const identity = { secret: identitySecret };
  const agent = { tenantId, name: 'Echo', model, identity, limits: ampleLimits({}), ...agentFields };
  const { id: agentId = '' } = await created('/agents', agent);
  const key = async (kind: string, bound: string | null = agentId) =>
    (await created('/keys', { tenantId, agentId: bound, kind }))['key'] ?? '';
  return {
    created,
    tenantId,
    agentId,
    key,
    publicKey: await key('publishable'),
    secretKey: await key('secret'),
  };
}

const password = 'correct horse battery';
let addresses = 0;

async function invited(service: TestService, as: { role: MemberRole; tenantId: string | null }) {
  return String((await service.settings('POST', '/invitations', as)).body.token);
}

export async function joined(
  service: TestService,
  as: { role: MemberRole; tenantId: string | null },
  name: string,
) {
  const headers = { [consoleHeader]: '1', 'x-forwarded-for': `192.0.2.${++addresses}` };
  const response = await service.call('/api/v1/settings/invitations/accept', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ token: await invited(service, as), name, password }),
  });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  const [cookie = ''] = response.headers.getSetCookie();
  return { id: String(response.body.id), headers: { ...headers, cookie: cookie.split(';')[0] ?? '' } };
}

/** The headers of a new member's browser. */
export async function signedIn(service: TestService, as: { role: MemberRole; tenantId: string | null }) {
  return (await joined(service, as, randomUUID())).headers;
}

export type Tenant = Awaited<ReturnType<typeof tenantOf>>;

/** Bodies that are accepted, by their name in the reference. */
function bodyOf(name: string, { tenantId, agentId }: Tenant, token: string): Json {
  const request = { method: 'GET', url: 'https://api.example.com/' };
  const tool = { kind: 'http', description: 'A tool', parameters: { type: 'object' }, request };
  const bodies: Record<string, Json> = {
    ChatRequest: { id: randomUUID(), text: 'Hello' },
    SessionCreate: { message: 'Hello' },
    SessionFollowUp: { continuationToken: token, message: 'And?' },
    SessionCancel: {},
    SessionToken: { continuationToken: token },
    TransferClaim: { token: 'none' },
    ReadyMailRequest: { continuationToken: token, address: 'a@example.com' },
    SessionFeedback: { turnId: 'turn_0', rating: 'up' },
    InvitationToken: { token },
    InvitationAccept: { token, name: randomUUID(), password },
    SignIn: { name: 'Somebody', password },
    PasswordConfirmation: { password },
    SecondFactorConfirm: parsed(token),
    PasskeyCreate: parsed(token),
    PasskeyPatch: { name: 'Renamed' },
    PasskeySignIn: parsed(token),
    PasswordChange: { password, newPassword: password },
    MemberPatch: { role: 'viewer' },
    MemberPicture: {
      picture:
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    InvitationCreate: { tenantId, role: 'viewer' },
    TenantCreate: { name: 'Another' },
    TenantPatch: { name: 'Renamed' },
    AgentCreate: { tenantId, name: 'Another', model: { provider: 'scripted', script: [] } },
    AgentPatch: { name: 'Renamed' },
    AgentDraftPatch: { name: 'Drafted' },
    AgentPublish: {},
    QuestionTrial: { question: 'Hello', of: 'draft' },
    RevisionRestore: { replaceDraft: true },
    KeyCreate: { tenantId, agentId, kind: 'secret' },
    KeyPatch: { label: 'Renamed' },
    ToolCreate: { agentId, name: `tool_${randomUUID().slice(0, 8)}`, ...tool },
    ToolPatch: { description: 'Changed' },
    ToolTest: { input: {} },
    NewToolTest: { tool: { agentId, name: 'tried', ...tool }, input: {} },
    ToolDocument: { agentId, url: 'https://api.example.com/openapi.json' },
    ModelTest: {},
    SourceCreate: { agentId, kind: 'text', name: 'Notes', text: 'Bring milk.' },
    SourcePatch: { name: 'Renamed' },
    ConnectionCreate: {
      agentId,
      kind: 'mcp',
      name: `c${randomUUID().slice(0, 8)}`,
      url: 'https://mcp.example.com/',
    },
    ConnectionPatch: { callsPerMinute: 5 },
    WebhookCreate: { tenantId, name: 'CRM', url: 'https://hooks.invalid/', events: ['message'] },
    WebhookPatch: { name: 'Renamed' },
    DeliveryReplay: { since: '2026-01-01T00:00:00Z' },
    QuestionAnswer: { questionId: 'none', question: 'Why?', answer: 'Because.' },
    TeamMessage: { text: 'Hello' },
    Presence: { tenantId, conversationId: null },
    HandBack: { summary: null },
    Assignment: { memberId: null },
    NoteCreate: { text: 'Call back' },
    ApprovalAmendment: { requestId: 'none', input: {} },
    ApprovalDelegation: { requestId: 'none', memberId: 'none' },
    TeamAnswer: { requestId: 'none', text: 'Yes.' },
    ApprovalAnswer: { requestId: 'none', answer: 'approve' },
    ContactPatch: { stage: 'customer' },
    Whisper: { text: 'Offer a discount' },
    QuestionDismissal: { questionId: 'none' },
    WebsiteAddress: { url: 'http://127.0.0.1:1/' },
  };
  const body = bodies[name];
  if (!body) throw new Error(`Add a body that the routes with ${name} accept.`);
  return body;
}

const parsed = (text: string): Json => (text.startsWith('{') ? (JSON.parse(text) as Json) : {});

/** The first code of an authenticator app that somebody begins to set up. */
async function confirmationOf(service: TestService, headers: Headers): Promise<Json> {
  const begun = (await post(service, '/api/v1/settings/session/second-factor', headers, {
    password,
  })) as Json;
  return { setup: begun['setup'], code: codeOf(fromBase32(String(begun['secret']))) };
}

/** What an authenticator makes of a challenge, or a passkey of whoever asks. */
async function passkeyTarget(service: TestService, { name, path }: Route, headers: Headers) {
  const origin = service.url.replace('127.0.0.1', 'localhost');
  const held = authenticator('localhost');
  const asked = async (options: string, sent: Json) =>
    ((await post(service, options, headers, sent)) as { challenge?: string }).challenge ?? 'none';
  const registered = async (): Promise<Json> => {
    const challenge = await asked('/api/v1/settings/passkeys/options', { password });
    return { name: 'Phone', response: held.register({ challenge, origin }) };
  };
  if (name === 'createPasskey') return { id: '', token: JSON.stringify(await registered()) };
  if (name === 'signInWithPasskey') {
    await post(service, '/api/v1/settings/passkeys', headers, await registered());
    const challenge = await asked('/api/v1/settings/session/passkey/options', {});
    return { id: '', token: JSON.stringify({ response: held.assert({ challenge, origin }) }) };
  }
  if (!path.endsWith('/:id')) return { id: '', token: '' };
  const made = await post(service, '/api/v1/settings/passkeys', headers, await registered());
  return { id: (made as { id?: string }).id ?? 'none', token: '' };
}

/** Routes that are tried with the id of an agent. */
export const ofAgent = [
  'listFeedback',
  'listConversations',
  'listInbox',
  'streamInbox',
  'readUsage',
  'uploadSource',
];
/** Routes that are tried with the id of a tenant. */
export const ofTenant = ['listColleagues', 'listContacts'];

/** What the route is tried on: something of the first tenant, made for this one request. */
export async function targetOf(
  service: TestService,
  route: Route,
  own: Tenant,
  headers: Headers,
  caller: Headers,
) {
  const { tenantId, agentId } = own;
  if (route.tag === 'Sessions' && (route.path.includes('/session') || route.name === 'readFile')) {
    const session = await post(service, '/parley/v1/session', headers, { message: 'Hello' });
    const { sessionId = 'none', continuationToken = 'none' } = session as Record<string, string>;
    if (route.name === 'rateTurn') await firstTurn(service, sessionId, headers);
    return { id: sessionId, token: continuationToken };
  }
  if (route.secretKey) {
    const id = randomUUID();
    await post(service, '/api/v1/agent/chat', bearer(own.secretKey), { id, text: 'Hello' });
    return { id, token: '' };
  }
  if (route.name === 'acceptInvitation' || route.name === 'readInvitation')
    return { id: '', token: await invited(service, { role: 'viewer', tenantId }) };
  if (route.name === 'confirmSecondFactor')
    return { id: '', token: JSON.stringify(await confirmationOf(service, headers)) };
  if (route.path.includes('/passkey')) return passkeyTarget(service, route, headers);
  if (route.path.includes('/members/:id'))
    return { id: (await joined(service, { role: 'viewer', tenantId }, randomUUID())).id, token: '' };
  if (route.path.endsWith('/sessions/:id')) {
    const { body } = await service.call('/api/v1/settings/sessions', { headers });
    return { id: String(body.items?.[0]?.id), token: '' };
  }
  if (route.path.includes('/conversations/:id')) {
    const visitor = bearer(own.publicKey);
    const session = await post(service, '/parley/v1/session', visitor, { message: 'Hello' });
    const { sessionId = 'none' } = session as Record<string, string>;
    // Only whoever answers may speak, or stop to.
    if (['sendTeamMessage', 'handBackConversation'].includes(route.name))
      await post(service, `/api/v1/settings/conversations/${sessionId}/take-over`, caller, {});
    return { id: sessionId, token: '' };
  }
  if (route.path.includes('/contacts/:id')) {
    const ada = { ...bearer(own.publicKey), ...(await as(agentId, randomUUID())) };
    await post(service, '/parley/v1/session', ada, { message: 'Hello' });
    const { body } = await service.settings('GET', `/contacts?tenantId=${tenantId}`);
    return { id: String(body.items[0].id), token: '' };
  }
  const noun = /settings\/(\w+)s\/:id/.exec(route.path)?.[1];
  if (noun === 'webhook' && route.name !== 'deleteWebhook') return webhookTarget(service, own);
  if (noun === 'tenant') return { id: (await tenantOf(service)).tenantId, token: '' };
  const name = noun && `${noun.charAt(0).toUpperCase()}${noun.slice(1)}Create`;
  if (!name) return { id: randomUUID(), token: '', agentId, tenantId };
  const { id = '' } = await own.created(`/${noun}s`, bodyOf(name, own, ''));
  return { id, token: '' };
}

/** A tenant may have few webhooks: one that was told of a conversation is for all that does not delete it. */
async function webhookTarget(service: TestService, own: Tenant) {
  const first = async (path: string) =>
    (await service.settings('GET', path)).body.items[0]?.id as string | undefined;
  const known = await first(`/webhooks?tenantId=${own.tenantId}`);
  const id = known ?? (await own.created('/webhooks', bodyOf('WebhookCreate', own, ''))).id ?? '';
  const deliveries = `/webhooks/${id}/deliveries`;
  if (!(await first(deliveries))) {
    await post(service, '/parley/v1/session', bearer(own.publicKey), { message: 'Hello' });
    await expect.poll(() => first(deliveries)).toBeDefined();
  }
  return { id, token: String(await first(deliveries)) };
}

/** Resolves when the first turn of a session has begun. */
async function firstTurn(service: TestService, sessionId: string, headers: Headers): Promise<void> {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const { body } = await fetch(`${service.url}/parley/v1/session/${sessionId}/stream`, { headers });
  let text = '';
  for await (const chunk of body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('turn.started')) return;
  }
}

export async function post(service: TestService, path: string, headers: Headers, body: Json) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return (await service.call(path, { ...init, body: JSON.stringify(body) })).body as unknown;
}

/** The name of a file of what is built. */
const fileIn = (folder: string, name: RegExp): string =>
  readdirSync(folder).find((each) => name.test(each)) ?? '';

export interface Tried {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Json;
}

export async function attempt(
  service: TestService,
  route: Route,
  own: Tenant,
  target: { id: string; token: string },
  headers: Headers,
  /** Instead of the sample. */
  sent?: Json,
): Promise<Tried> {
  const { body } = route;
  const path = route.path
    .replace(':id', target.id)
    .replace(':name', () =>
      fileIn(route.name === 'consoleAsset' ? consoleAssets : join(widget, 'dist/assets'), /\.js$/),
    )
    .replace(':version', () => fileIn(join(widget, 'dist'), /^v\d+\.\d+/))
    .replace(':revision', '1')
    .replace(':note', target.token || 'none')
    .replace(':delivery', target.token);
  const query = new URLSearchParams({
    ...(ofAgent.includes(route.name) && { agentId: own.agentId }),
    ...(ofTenant.includes(route.name) && { tenantId: own.tenantId }),
    ...(route.name === 'uploadSource' && { filename: 'notes.txt' }),
    ...(route.name === 'widgetPage' && { key: own.publicKey }),
  });
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const response = await fetch(`${service.url}${path}?${query.toString()}`, {
    method: route.method.toUpperCase(),
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...headers,
      ...(body && { 'content-type': body === 'bytes' ? 'image/png' : 'application/json' }),
    },
    ...(body && {
      body: body === 'bytes' ? 'bytes' : JSON.stringify(sent ?? bodyOf(body.name, own, target.token)),
    }),
  });
  const { status } = response;
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    // A stream stays open for as long as somebody reads it.
    await response.body?.cancel();
    return { status, code: undefined, body: {} };
  }
  const json = (await response.json()) as Json;
  return { status, code: json['code'] as string | undefined, body: json };
}
