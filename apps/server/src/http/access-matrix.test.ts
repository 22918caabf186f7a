import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problemStatus } from '@parley/protocol/problem';
import type { Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { beforeAll, expect, test } from 'vitest';
import { consoleHeader } from '@parley/protocol/paths';
import { type MemberRole, memberRoles } from '@parley/protocol/settings/member';
import { ampleLimits } from '../testing/ample-limits.ts';
import { codeOf, fromBase32 } from '../testing/authenticator-app.ts';
import { authenticator } from '../testing/passkey.ts';
import { type TestService, testService } from '../testing/test-service.ts';
import { as, identitySecret } from '../testing/visitor-token.ts';

const table: readonly Route[] = routes('parley');
const root = join(import.meta.dirname, '../../../..');
const widget = join(root, 'packages/widget');
const consoleAssets = join(root, 'apps/console/dist/assets');

beforeAll(() => {
  if (!existsSync(join(widget, 'dist/manifest.json')))
    execFileSync(process.execPath, [join(widget, 'build/build.ts')]);
  if (!existsSync(consoleAssets)) execFileSync(process.execPath, [join(root, 'apps/console/build/build.ts')]);
}, 60_000);

type Json = Record<string, unknown>;

/** A tenant with an agent, its keys and a tool. */
async function tenantOf(service: TestService, agentFields: Json = {}) {
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

/** Whoever tries a route. `tenant` is whose keys and sessions they bring; null: a credential of no key. */
interface Caller {
  readonly headers: Record<string, string>;
  readonly kind: 'nobody' | 'admin' | 'key' | 'member';
  readonly role?: MemberRole;
  /** Of a member: whose settings they see; null: every tenant's. */
  readonly tenantId?: string | null;
  readonly own: boolean;
  readonly identified?: true;
  readonly secret?: true;
  readonly boundTo?: 'inactive agent' | 'strict agent' | 'nothing';
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function callers(service: TestService) {
  const own = await tenantOf(service);
  const foreign = await tenantOf(service);
  const inactive = await tenantOf(service, { active: false });
  const strict = await tenantOf(service, { identity: { secret: identitySecret, required: true } });
  const publishable = bearer(await own.key('publishable'));
  const member = async (role: MemberRole, tenantId: string | null): Promise<Caller> => ({
    kind: 'member',
    own: false,
    role,
    tenantId,
    headers: await signedIn(service, { role, tenantId }),
  });
  const all: Record<string, Caller> = {
    nobody: { kind: 'nobody', own: false, headers: {} },
    'the admin token': { kind: 'admin', own: false, headers: bearer(service.adminToken) },
    'a viewer': await member('viewer', own.tenantId),
    'an agent': await member('agent', own.tenantId),
    'an admin': await member('admin', own.tenantId),
    'an owner': await member('owner', own.tenantId),
    'an owner of another tenant': await member('owner', foreign.tenantId),
    'an admin of every tenant': await member('admin', null),
    'a secret key': { kind: 'key', own: true, secret: true, headers: bearer(await own.key('secret')) },
    'a publishable key': { kind: 'key', own: true, headers: publishable },
    'a publishable key and a visitor': {
      kind: 'key',
      own: true,
      identified: true,
      headers: { ...publishable, ...(await as(own.agentId, 'ada')) },
    },
    'a secret key of another tenant': {
      kind: 'key',
      own: false,
      secret: true,
      headers: bearer(await foreign.key('secret')),
    },
    'a publishable key of another tenant': {
      kind: 'key',
      own: false,
      headers: bearer(await foreign.key('publishable')),
    },
    'a key that is bound to nothing': {
      kind: 'key',
      own: true,
      boundTo: 'nothing',
      secret: true,
      headers: bearer(await own.key('secret', null)),
    },
    'a key of an inactive agent': {
      kind: 'key',
      own: false,
      boundTo: 'inactive agent',
      secret: true,
      headers: bearer(await inactive.key('secret')),
    },
    'a publishable key where visitors must be identified': {
      kind: 'key',
      own: false,
      boundTo: 'strict agent',
      headers: bearer(await strict.key('publishable')),
    },
  };
  return { own, all };
}

const password = 'correct horse battery';
let addresses = 0;

async function invited(service: TestService, as: { role: MemberRole; tenantId: string | null }) {
  return String((await service.settings('POST', '/invitations', as)).body.token);
}

async function joined(service: TestService, as: { role: MemberRole; tenantId: string | null }, name: string) {
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
async function signedIn(service: TestService, as: { role: MemberRole; tenantId: string | null }) {
  return (await joined(service, as, randomUUID())).headers;
}

/** What is done with a session ends it, so whoever does it has one for that alone. */
const endsSession = ['acceptInvitation', 'signIn', 'signInWithPasskey', 'signOut', 'endConsoleSession'];

type Tenant = Awaited<ReturnType<typeof tenantOf>>;

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
    InvitationAccept: { token, name: randomUUID(), password },
    SignIn: { name: 'Somebody', password },
    PasswordConfirmation: { password },
    SecondFactorConfirm: parsed(token),
    PasskeyCreate: parsed(token),
    PasskeyPatch: { name: 'Renamed' },
    PasskeySignIn: parsed(token),
    PasswordChange: { password, newPassword: password },
    MemberPatch: { role: 'viewer' },
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
async function confirmationOf(service: TestService, headers: Caller['headers']): Promise<Json> {
  const begun = (await post(service, '/api/v1/settings/session/second-factor', headers, {
    password,
  })) as Json;
  return { setup: begun['setup'], code: codeOf(fromBase32(String(begun['secret']))) };
}

/** What an authenticator makes of a challenge, or a passkey of whoever asks. */
async function passkeyTarget(service: TestService, { name, path }: Route, headers: Caller['headers']) {
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
const ofAgent = [
  'listFeedback',
  'listConversations',
  'listInbox',
  'streamInbox',
  'readUsage',
  'uploadSource',
];
/** Routes that are tried with the id of a tenant. */
const ofTenant = ['listContacts'];

/** What the route is tried on: something of the first tenant, made for this one request. */
async function targetOf(
  service: TestService,
  route: Route,
  own: Tenant,
  headers: Caller['headers'],
  caller: Caller['headers'],
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
  if (route.name === 'acceptInvitation')
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
async function firstTurn(service: TestService, sessionId: string, headers: Caller['headers']): Promise<void> {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const { body } = await fetch(`${service.url}/parley/v1/session/${sessionId}/stream`, { headers });
  let text = '';
  for await (const chunk of body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('turn.started')) return;
  }
}

async function post(service: TestService, path: string, headers: Caller['headers'], body: Json) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return (await service.call(path, { ...init, body: JSON.stringify(body) })).body as unknown;
}

interface Tried {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Json;
}

async function attempt(
  service: TestService,
  route: Route,
  own: Tenant,
  target: { id: string; token: string },
  headers: Caller['headers'],
): Promise<Tried> {
  const { body } = route;
  const assets = route.name === 'consoleAsset' ? consoleAssets : join(widget, 'dist/assets');
  const asset = readdirSync(assets).find((name) => name.endsWith('.js')) ?? '';
  const version = readdirSync(join(widget, 'dist')).find((name) => /^v\d+\.\d+/.test(name)) ?? '';
  const path = route.path
    .replace(':id', target.id)
    .replace(':name', asset)
    .replace(':version', version)
    .replace(':revision', '1')
    .replace(':note', 'none')
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
    ...(body && { body: body === 'bytes' ? 'bytes' : JSON.stringify(bodyOf(body.name, own, target.token)) }),
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

/** The problem that the table promises for this caller; null: one of the route's responses. */
function promised(route: Route, caller: Caller, own: Tenant): string | null {
  if (route.principal === 'anyone')
    return ['readFile', 'readMetrics', 'readCalendar'].includes(route.name) ? 'NOT_FOUND' : null;
  if (route.principal === 'browser') return consoleHeader in caller.headers ? null : 'FORBIDDEN';
  if (route.principal === 'member' && caller.kind !== 'member') return 'UNAUTHORIZED';
  if (route.principal === 'member' && route.role === undefined) return null;
  if (route.principal === 'settings' || route.principal === 'member')
    return promisedOfSettings(route, caller, own);
  if (caller.kind !== 'key') return 'UNAUTHORIZED';
  if (route.secretKey && !caller.secret) return 'FORBIDDEN';
  if (caller.boundTo === 'nothing') return 'NO_AGENT';
  if (caller.boundTo === 'strict agent') return 'VISITOR_TOKEN_REQUIRED';
  if (caller.boundTo === 'inactive agent' && route.activeAgent) return 'AGENT_INACTIVE';
  if (route.visitor === 'required' && !caller.identified) return 'VISITOR_TOKEN_REQUIRED';
  // Nobody has handed anything over, and what is a visitor's is there wherever they prove who they are.
  if (route.name === 'claimTransfer') return 'SESSION_NOT_FOUND';
  if (route.name === 'createTransfer' && caller.own && caller.identified) return 'BAD_REQUEST';
  const isOfSession = (route.tag === 'Sessions' || route.secretKey) && route.path.includes(':id');
  if (caller.own || !isOfSession) return null;
  // A session of another tenant is answered like one that does not exist.
  const absent = ['SESSION_NOT_RESUMABLE', 'SESSION_NOT_FOUND', 'NOT_FOUND'] as const;
  return absent.find((code) => route.problems.includes(code)) ?? null;
}

function promisedOfSettings(route: Route, { kind, role, tenantId }: Caller, own: Tenant): string | null {
  // Nobody signs in at the server of the connection that is there, and nothing waits for an answer.
  const reached =
    {
      beginSignIn: 'BAD_REQUEST',
      answerApproval: 'CONFLICT',
      amendApproval: 'CONFLICT',
      delegateApproval: 'BAD_REQUEST',
      answerTeamQuestion: 'CONFLICT',
    }[route.name] ?? null;
  if (kind === 'admin') return reached;
  if (kind !== 'member' || role === undefined) return 'UNAUTHORIZED';
  const isTooLow = memberRoles.indexOf(role) < memberRoles.indexOf(route.role ?? 'owner');
  if (isTooLow || (route.everyTenant && tenantId !== null)) return 'FORBIDDEN';
  // Each is tried on another tenant than their own.
  const isForeign = tenantId !== null && (tenantId !== own.tenantId || route.path.includes('/tenants/:id'));
  if (!isForeign) return reached;
  if (route.path.includes(':id') || [...ofAgent, ...ofTenant].includes(route.name)) return 'NOT_FOUND';
  // A website is nobody's.
  return route.method === 'post' && route.name !== 'proposeAgent' ? 'BAD_REQUEST' : null;
}

/** Whether the answer is the promised problem, or a response that the table documents. */
function isAsPromised(route: Route, problem: string | null, { status, code }: Tried): boolean {
  if (problem === null) return route.responses.some((response) => response.status === status);
  const isDocumented = problem === 'UNAUTHORIZED' || route.problems.some((each) => each === problem);
  return isDocumented && code === problem && status === problemStatus[problem as keyof typeof problemStatus];
}

/** Routes that tell somebody without a session of theirs that nothing was done. */
const withoutEffect = ['clearSession', 'compactSession', 'resetSession', 'cancelTurn'];

test('every route answers every principal as the table says', { timeout: 300_000 }, async () => {
  const service = await testService({ TRUST_PROXY: '1' });
  const { own, all } = await callers(service);
  await joined(service, { role: 'viewer', tenantId: own.tenantId }, 'Somebody');
  const owner = all['a publishable key']?.headers ?? {};
  const wrong: string[] = [];
  for (const route of table) {
    let forRefused: Awaited<ReturnType<typeof targetOf>> | undefined;
    for (const [who, known] of Object.entries(all)) {
      const { kind, role = 'viewer', tenantId = null } = known;
      const isAnew = kind === 'member' && endsSession.includes(route.name);
      const caller = isAnew ? { ...known, headers: await signedIn(service, { role, tenantId }) } : known;
      const theirs = caller.own && caller.boundTo === undefined ? caller.headers : owner;
      const problem = promised(route, caller, own);
      const newTarget = () =>
        targetOf(service, route, own, kind === 'member' ? caller.headers : theirs, caller.headers);
      // Who is refused changes nothing: one is enough for all of them.
      const isReached = problem === null || problem === 'BAD_REQUEST';
      const target = isReached ? await newTarget() : (forRefused ??= await newTarget());
      const tried = await attempt(service, route, own, target, caller.headers);
      const said = `${route.name} with ${who}: ${tried.status} ${JSON.stringify(tried.body).slice(0, 120)}`;
      if (!isAsPromised(route, problem, tried)) wrong.push(said);
      const isStranger = caller.kind === 'key' && !caller.own && problem === null;
      if (
        isStranger &&
        withoutEffect.includes(route.name) &&
        !/no_active_/.test(String(tried.body['status']))
      )
        wrong.push(said);
    }
  }
  expect(wrong).toEqual([]);
});
