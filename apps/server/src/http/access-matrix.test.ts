import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problemStatus } from '@parley/protocol/problem';
import type { Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { beforeAll, expect, test } from 'vitest';
import { consoleHeader } from '@parley/protocol/paths';
import { type MemberRole, memberRoles } from '@parley/protocol/settings/member';
import {
  attempt,
  bearer,
  joined,
  ofAgent,
  ofTenant,
  signedIn,
  targetOf,
  type Tenant,
  tenantOf,
  type Tried,
} from '../testing/route-samples.ts';
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
});

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
    'an owner of every tenant': await member('owner', null),
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

/** What is done with a session ends it, so whoever does it has one for that alone. */
const endsSession = ['acceptInvitation', 'signIn', 'signInWithPasskey', 'signOut', 'endConsoleSession'];

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

test('every route answers every principal as the table says', { timeout: 600_000 }, async () => {
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
