import { randomUUID } from 'node:crypto';
import type { Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { expect, test } from 'vitest';
import { codeOf, fromBase32 } from '../testing/authenticator-app.ts';
import {
  attempt,
  bearer,
  joined,
  type Json,
  post,
  signedIn,
  targetOf,
  type Tenant,
  tenantOf,
} from '../testing/route-samples.ts';
import { type TestService, testService } from '../testing/test-service.ts';

const inLog = 'The log of the conversation says who did it and when, and goes with it.';
const signsIn = 'Nothing is set: who is signed in stands in the list of their sessions.';
const readsOnly = 'A page of the public network is read, and nothing is stored.';

/** What changes something, or seems to, and leaves no entry in the log of changes, with the reason. */
const withoutEntry: Readonly<Record<string, string>> = {
  readInvitation: 'It is only looked at, and is as good as before.',
  signIn: signsIn,
  signOut: signsIn,
  startPasskeySignIn: signsIn,
  signInWithPasskey: signsIn,
  startSecondFactor: 'Nothing is set before it is confirmed.',
  startPasskey: 'Nothing is set before the passkey is made.',
  openPreview: 'A key is made that nothing stores.',
  beginSignIn: 'The entry is written when somebody comes back signed in.',
  readSourceAgain: 'It is read as it is every night by itself; what it is set to stays.',
  readToolDocument: readsOnly,
  proposeAgent: readsOnly,
  checkPage: readsOnly,
  takeOverConversation: inLog,
  sendTeamMessage: inLog,
  handBackConversation: inLog,
  answerTeamQuestion: inLog,
  whisperToAgent: 'What was said stands among the notes with its author, and goes with the conversation.',
  notePresence: 'It is there for as long as the inbox is open, and says nothing of what was done.',
  addNote: 'A note names its author, and goes with the conversation.',
};

const table: readonly Route[] = routes('parley');
const changing = table.filter(
  ({ method, principal }) => method !== 'get' && ['settings', 'member', 'browser'].includes(principal),
);

type Target = { readonly id: string; readonly token: string };
type Headers = Record<string, string>;

/** Something of the tenant that the route changes for certain, where any of its kind would not do. */
const targets: Readonly<
  Record<string, (service: TestService, own: Tenant, headers: Headers) => Promise<Target & { body?: Json }>>
> = {
  resetSecondFactor: async (service) => ({
    id: (await joined(service, { role: 'viewer', tenantId: null }, randomUUID())).id,
    token: '',
  }),
  confirmSecondFactor: async (service, _own, headers) => {
    const setup = (await post(service, '/api/v1/settings/session/second-factor', headers, {
      password: 'correct horse battery',
    })) as { setup: string; secret: string };
    const confirmation = { setup: setup.setup, code: codeOf(fromBase32(setup.secret)) };
    return { id: '', token: JSON.stringify(confirmation) };
  },
  deleteNote: async (service, own, headers) => {
    const { id } = await conversation(service, own);
    const thread = (await post(service, `/api/v1/settings/conversations/${id}/notes`, headers, {
      text: 'Call back',
    })) as { notes: { id: string }[] };
    return { id, token: String(thread.notes[0]?.id) };
  },
  dismissQuestion: async (service, own) => {
    const { id } = await conversation(service, own);
    await service.stored.sql(
      `INSERT INTO open_questions (session, agent_id, digest, question, turn, asked, at)
       SELECT key, agent_id, 'milk', 'Is there milk', 0, 1, 0 FROM sessions WHERE id = ?`,
      id,
    );
    return { id: own.agentId, token: '', body: { questionId: 'milk' } };
  },
  discardDraft: drafted,
  publishDraft: drafted,
  answerApproval: async (service, own) => {
    const { id, requestId } = await approval(service, own);
    return { id, token: '', body: { requestId, answer: 'approve' } };
  },
  amendApproval: async (service, own) => {
    const { id, requestId } = await approval(service, own);
    return { id, token: '', body: { requestId, input: { order: 'B-2' } } };
  },
  delegateApproval: async (service, own) => {
    const { id, requestId } = await approval(service, own);
    const to = await joined(service, { role: 'agent', tenantId: own.tenantId }, randomUUID());
    return { id, token: '', body: { requestId, memberId: to.id } };
  },
};

/** An agent with a draft. */
async function drafted(service: TestService, { created, tenantId }: Tenant): Promise<Target> {
  const model = { provider: 'scripted', script: [] };
  const { id = '' } = await created('/agents', { tenantId, name: 'Live', model });
  const { status } = await service.settings('PATCH', `/agents/${id}/draft`, { name: 'Drafted' });
  expect(status).toBe(200);
  return { id, token: '' };
}

async function conversation(service: TestService, own: Tenant, message = 'Hello'): Promise<{ id: string }> {
  const started = await post(service, '/parley/v1/session', bearer(own.publicKey), { message });
  return { id: (started as { sessionId: string }).sessionId };
}

/** A conversation in which an approval waits. */
async function approval(service: TestService, own: Tenant): Promise<{ id: string; requestId: string }> {
  const script = [{ steps: [{ call: 'refund', input: { order: 'A-17' } }, { say: 'Done.' }] }];
  const agent = await own.created('/agents', {
    tenantId: own.tenantId,
    name: 'Refunds',
    model: { provider: 'scripted', script },
    approvalsBy: 'team',
  });
  await own.created('/tools', {
    agentId: agent['id'],
    kind: 'http',
    name: 'refund',
    description: 'Refunds an order',
    approval: 'always',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    request: { method: 'POST', url: 'https://shop.example/refund', body: { order: '{{order}}' } },
  });
  const publicKey = await own.key('publishable', String(agent['id']));
  const { id } = await conversation(service, { ...own, publicKey }, 'refund');
  const waiting = async () =>
    (await service.settings('GET', `/conversations/${id}/thread`)).body.approvals[0]?.requestId as unknown;
  await expect.poll(waiting).toBeDefined();
  return { id, requestId: String(await waiting()) };
}

interface Entry {
  readonly key: number;
  readonly actor: unknown;
  readonly sides: number;
}

async function latestEntry({ stored }: TestService): Promise<Entry> {
  const [row] = await stored.sql(
    'SELECT key, actor_id, before, after FROM audit_entries ORDER BY key DESC LIMIT 1',
  );
  const sides = [row?.['before'], row?.['after']].filter((side) => side !== 'null').length;
  return { key: Number(row?.['key'] ?? 0), actor: row?.['actor_id'], sides };
}

test(
  'every route that changes something leaves who changed what, or says why not',
  { timeout: 600_000 },
  async () => {
    const service = await testService({ TRUST_PROXY: '1' });
    const own = await tenantOf(service);
    const ada = await joined(service, { role: 'owner', tenantId: null }, 'Ada');
    const wrong: string[] = [];
    for (const route of changing.filter(({ name }) => !(name in withoutEntry))) {
      const { name } = route;
      // It would end the session that everything else is done with.
      const isAnother = name === 'acceptInvitation' || name === 'endConsoleSession';
      const headers = isAnother ? await signedIn(service, { role: 'owner', tenantId: null }) : ada.headers;
      const target =
        (await targets[name]?.(service, own, headers)) ??
        (await targetOf(service, route, own, headers, headers));
      const sent = 'body' in target ? target.body : undefined;
      const before = await latestEntry(service);
      const { status, body } = await attempt(service, route, own, target, headers, sent);
      const entry = await latestEntry(service);
      if (status >= 300) wrong.push(`${name} was not done: ${status} ${JSON.stringify(body).slice(0, 200)}`);
      else if (entry.key === before.key) wrong.push(`${name} leaves no entry`);
      else if (!isAnother && entry.actor !== ada.id) wrong.push(`${name} does not say who`);
      else if (entry.sides === 0) wrong.push(`${name} does not say what`);
    }
    expect(wrong).toEqual([]);
    const names = changing.map(({ name }) => name);
    expect(Object.keys(withoutEntry).filter((name) => !names.includes(name))).toEqual([]);
  },
);
