import { expect, test } from 'vitest';
import type { AgentRecord } from '../agent-record.ts';
import type {
  ConnectionRecord,
  KeyRecord,
  SignInRecord,
  SourceRecord,
  TenantRecord,
  ToolRecord,
  WebhookRecord,
} from '../settings-store.ts';
import type { Store } from '../store.ts';
import { LeaseLostError } from '../store-error.ts';
import {
  enqueueRequest,
  delta,
  historyOf,
  logOf,
  naming,
  opened,
  opening,
  start,
  textFile,
  uploaded,
  type TestClock,
} from './samples.ts';

const createdAt = '2026-01-01T00:00:00.000Z';

const prices = { currency: 'EUR', models: [] };
const tenant: TenantRecord = {
  id: 'tenant_1',
  name: 'Firm',
  prices,
  team: { replies: [] },
  pipeline: { stages: [] },
  createdAt,
};
export const agent: AgentRecord = {
  id: 'agent_1',
  tenantId: 'tenant_1',
  name: 'Helper',
  active: true,
  config: { model: { provider: 'scripted' }, limits: [1, null] },
  credentials: null,
  revision: 1,
  createdAt,
};
const key: KeyRecord = {
  id: 'key_1',
  tenantId: 'tenant_1',
  agentId: 'agent_1',
  kind: 'publishable',
  label: null,
  digest: 'digest_1',
  publicKey: 'pk_1',
  last4: 'abcd',
  allowedOrigins: ['https://example.com'],
  allowMissingOrigin: false,
  turnsPerMinute: 600,
  lastUsedAt: null,
  createdAt,
};
const tool: ToolRecord = {
  id: 'tool_1',
  tenantId: 'tenant_1',
  agentId: 'agent_1',
  name: 'get_weather',
  config: { kind: 'http' },
  secrets: 'encrypted',
  createdAt,
};

const source: SourceRecord = {
  id: 'source_1',
  tenantId: 'tenant_1',
  agentId: 'agent_1',
  name: 'Handbook',
  kind: 'text',
  config: { text: 'Bring milk.' },
  reading: { status: 'waiting' },
  unreadPages: { addresses: ['https://a.example/'] },
  createdAt,
};

const connection: ConnectionRecord = {
  id: 'connection_1',
  tenantId: 'tenant_1',
  agentId: 'agent_1',
  name: 'crm',
  kind: 'mcp',
  config: { url: 'https://mcp.example/', tools: [] },
  secrets: 'encrypted',
  state: { status: 'failed' },
  createdAt,
};

const signIn: SignInRecord = {
  id: 'sign_in_1',
  tenantId: 'tenant_1',
  agentId: 'agent_1',
  connectionId: 'connection_1',
  visitor: null,
  sessionId: null,
  status: 'signed-in',
  problem: null,
  secrets: 'encrypted',
  version: 0,
  refreshingUntil: 1_800_000_000_000,
  createdAt,
};

const webhook: WebhookRecord = {
  id: 'webhook_1',
  tenantId: 'tenant_1',
  name: 'CRM',
  active: true,
  config: { url: 'https://crm.example/', events: ['message'], agentIds: null },
  secrets: 'encrypted',
  state: { failingSince: null, problem: null },
  createdAt,
};

export async function seed({ settings }: Store): Promise<void> {
  await settings.tenants.insert(tenant);
  await settings.agents.insert(agent);
  await settings.keys.insert(key);
  await settings.tools.insert(tool);
  await settings.sources.insert(source);
  await settings.connections.insert(connection);
  await settings.signIns.insert(signIn);
  await settings.webhooks.insert(webhook);
}

export function testSettings(store: () => Store, clock: TestClock): void {
  test('keeps the check of its secret, written over none but the one that was read', async () => {
    const { secretCheck } = store().settings;
    expect(await secretCheck.get()).toBeNull();
    expect(await secretCheck.set('first', null)).toBe(true);
    expect(await secretCheck.set('other', null)).toBe(false);
    expect(await secretCheck.set('second', 'first')).toBe(true);
    expect(await secretCheck.set('other', 'first')).toBe(false);
    expect(await secretCheck.get()).toBe('second');
  });

  test('gives back each record as it was inserted', async () => {
    await seed(store());
    const { tenants, agents, keys, tools, sources, connections, signIns, webhooks } = store().settings;
    expect(await signIns.get('sign_in_1')).toEqual(signIn);
    expect(await tenants.get('tenant_1')).toEqual(tenant);
    expect(await agents.get('agent_1')).toEqual(agent);
    expect(await keys.get('key_1')).toEqual(key);
    expect(await tools.get('tool_1')).toEqual(tool);
    expect(await sources.get('source_1')).toEqual(source);
    expect(await connections.get('connection_1')).toEqual(connection);
    expect(await webhooks.get('webhook_1')).toEqual(webhook);
    expect(await keys.byDigest('digest_1')).toEqual(key);
    expect(await keys.byDigest('digest_2')).toBeNull();
    const right = { id: 'key_1', digest: 'digest_1', agentId: 'agent_1' };
    expect(await keys.listRights(['key_0', 'key_1'])).toEqual([right]);
    expect(await agents.get('agent_2')).toBeNull();
  });

  test('agents of tenants are listed by their ids alone, page by page', async () => {
    const { tenants, agents } = store().settings;
    for (const id of ['tenant_1', 'tenant_2']) await tenants.insert({ ...tenant, id });
    const tenantOf = { agent_3: 'tenant_1', agent_1: 'tenant_2', agent_2: 'tenant_1' };
    for (const [id, tenantId] of Object.entries(tenantOf)) await agents.insert({ ...agent, id, tenantId });
    const page = (after: string | null, ...tenantIds: string[]) =>
      agents.listOfTenants({ tenantIds, after, limit: 2 });
    const [first, second, third] = Object.entries(tenantOf)
      .map(([id, tenantId]) => ({ id, tenantId }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(await page(null, 'tenant_1', 'tenant_2')).toEqual([first, second]);
    expect(await page('agent_2', 'tenant_1', 'tenant_2')).toEqual([third]);
    expect(await page(null, 'tenant_1')).toEqual([second, third]);
    expect(await page(null, 'tenant_0')).toEqual([]);
  });

  test('a tenant has another revision after each write of what its agents answer with', async () => {
    await seed(store());
    const { settings } = store();
    const { tenants, agents, keys, tools, connections } = settings;
    await tenants.insert({ ...tenant, id: 'tenant_2' });
    await agents.insert({ ...agent, id: 'agent_2', tenantId: 'tenant_2' });
    expect((await settings.listTenantRevisions(1)).map(({ tenantId }) => tenantId)).toEqual(['tenant_2']);
    const writes = [
      () => agents.update('agent_1', { name: 'Other' }),
      () => keys.update('key_1', { label: 'Other' }),
      () => tools.update('tool_1', { name: 'other' }),
      () => connections.update('connection_1', { name: 'other' }),
      () => keys.insert({ ...key, id: 'key_2', digest: 'digest_2' }),
      () => keys.remove('key_2'),
      () => connections.remove('connection_1'),
      () => agents.remove('agent_1'),
    ];
    let before = await settings.listTenantRevisions(10);
    const other = before.find(({ tenantId }) => tenantId === 'tenant_2');
    for (const write of writes) {
      await write();
      const after = await settings.listTenantRevisions(10);
      expect(after.map(({ tenantId }) => tenantId)).toEqual(['tenant_1', 'tenant_2']);
      expect(after[0]!.revision).not.toBe(before.find(({ tenantId }) => tenantId === 'tenant_1')!.revision);
      expect(after[1]).toEqual(other);
      before = after;
    }
  });

  test('lists the sign-ins of visitors of whom no session is left', async () => {
    await seed(store());
    const { signIns } = store().settings;
    await opened(store(), 'session_1');
    await opened(store(), 'session_2');
    await store().assignVisitor('session_2', 'ada');
    const own = { ...signIn, id: 'of_session', sessionId: 'session_1' };
    await signIns.insert(own);
    await signIns.insert({ ...signIn, id: 'of_visitor', visitor: 'ada' });
    const forgotten = async () => (await signIns.listForgotten(9)).map(({ id }) => id).toSorted();
    expect(await forgotten()).toEqual([]);
    await store().removeSession('session_1');
    expect(await signIns.listForgotten(9)).toEqual([own]);
    await store().removeSession('session_2');
    expect(await forgotten()).toEqual(['of_session', 'of_visitor']);
    expect(await signIns.listForgotten(1)).toHaveLength(1);
    await store().settings.connections.remove('connection_1');
    expect(await signIns.get('of_visitor')).toBeNull();
    expect(await signIns.get('sign_in_1')).toBeNull();
  });

  test('one process at a time renews a sign-in, for a while by the clock of the store', async () => {
    await seed(store());
    const { signIns } = store().settings;
    const free = await signIns.update('sign_in_1', { refreshingUntil: null });
    const { version } = free!;
    const claim = (of = version, leaseMs = 1_000) => signIns.claimRefresh('sign_in_1', of, leaseMs);
    const claims = await Promise.all([claim(), claim(), claim()]);
    const claimed = { ...free, version: version + 1, refreshingUntil: start + 1_000 };
    expect(claims.filter((each) => each !== null)).toEqual([claimed]);
    expect(await signIns.get('sign_in_1')).toEqual(claimed);
    clock.now = start + 999;
    expect(await claim(version + 1)).toBeNull();
    clock.now = start + 1_000;
    expect(await claim()).toBeNull();
    expect(await claim(version + 1)).toMatchObject({ refreshingUntil: start + 2_000 });
    expect(await signIns.claimRefresh('sign_in_9', 0, 1)).toBeNull();
  });

  test('replaces the named fields only', async () => {
    await seed(store());
    const { agents, keys } = store().settings;
    const renamed = { ...agent, name: 'Other', active: false };
    expect(await agents.update('agent_1', { name: 'Other', active: false })).toEqual(renamed);
    expect(await agents.get('agent_1')).toEqual(renamed);
    expect(await agents.update('agent_1', {})).toEqual(renamed);
    expect(await agents.update('agent_2', { name: 'Other' })).toBeNull();
    await keys.update('key_1', { digest: 'digest_2', allowedOrigins: [], agentId: null });
    expect(await keys.byDigest('digest_1')).toBeNull();
    expect(await keys.byDigest('digest_2')).toMatchObject({ allowedOrigins: [], agentId: null });
  });

  test('replaces fields only over what they were where that is asked for', async () => {
    await seed(store());
    const { tools } = store().settings;
    const [one, other] = [
      { kind: 'http', timeoutMs: 1 },
      { kind: 'http', timeoutMs: 2 },
    ];
    const { config, secrets } = tool;
    expect(await tools.update('tool_1', { config: one }, undefined, { config, secrets })).toMatchObject({
      config: one,
    });
    expect(await tools.update('tool_1', { config: other }, undefined, { config, secrets })).toBeNull();
    expect(await tools.update('tool_1', { config: other }, undefined, { secrets: null })).toBeNull();
    await tools.update('tool_1', { secrets: null });
    expect(await tools.update('tool_1', { config: other }, undefined, { secrets: null })).toMatchObject({
      config: other,
    });
  });

  test('rejects a second record of the same id or digest, and keeps the first', async () => {
    await seed(store());
    const { tenants, keys } = store().settings;
    const both = [
      tenants.insert({ ...tenant, name: 'Second' }),
      tenants.insert({ ...tenant, id: 'tenant_2' }),
    ];
    const [second, other] = await Promise.allSettled(both);
    expect([second?.status, other?.status]).toEqual(['rejected', 'fulfilled']);
    await expect(keys.insert({ ...key, id: 'key_2' })).rejects.toThrow();
    expect(await tenants.get('tenant_1')).toEqual(tenant);
    expect(await keys.get('key_2')).toBeNull();
  });

  test('lists in pages, ordered by creation and id, each record once', async () => {
    const { tenants, agents } = store().settings;
    await tenants.insert(tenant);
    await tenants.insert({ ...tenant, id: 'tenant_2' });
    const made = [
      { ...agent, id: 'b', createdAt: '2026-01-02T00:00:00.000Z' },
      { ...agent, id: 'a', createdAt: '2026-01-02T00:00:00.000Z' },
      { ...agent, id: 'd', createdAt: '2026-01-01T00:00:00.000Z' },
      { ...agent, id: 'c', createdAt: '2026-01-03T00:00:00.000Z', active: false },
      { ...agent, id: 'e', tenantId: 'tenant_2' },
    ];
    for (const record of made) await agents.insert(record);

    const ids: string[] = [];
    let after: string | null = null;
    do {
      const page = await agents.list({ where: { tenantId: 'tenant_1' }, after, limit: 1 });
      ids.push(...page.items.map(({ id }) => id));
      if (after === null) await agents.remove('d');
      after = page.next;
    } while (after !== null);
    expect(ids).toEqual(['d', 'a', 'b', 'c']);

    const active = await agents.list({
      where: { tenantId: 'tenant_1', active: true },
      after: null,
      limit: 2,
    });
    expect(active).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }], next: null });
    const somewhere = await agents.list({ where: {}, after: 'no cursor of ours', limit: 1 });
    expect(somewhere.items.length).toBeLessThanOrEqual(1);
  });

  test('a list ends where its bytes do, and goes on from there', async () => {
    await seed(store());
    const { agents } = store().settings;
    for (let n = 2; n < 6; n++)
      await agents.insert({ ...agent, id: `agent_${n}`, config: { instructions: 'x'.repeat(200_000) } });
    const pages: string[][] = [];
    for (let after: string | null = null; ;) {
      const page = await agents.list({ where: {}, after, limit: 100 });
      pages.push(page.items.map(({ id }) => id));
      after = page.next;
      if (after === null) break;
    }
    expect(pages).toEqual([
      ['agent_1', 'agent_2', 'agent_3'],
      ['agent_4', 'agent_5'],
    ]);
  });

  test('finds records by a field that is null', async () => {
    await seed(store());
    const { keys } = store().settings;
    await keys.insert({ ...key, id: 'key_2', digest: 'digest_2', agentId: null });
    const unbound = await keys.list({ where: { agentId: null }, after: null, limit: 10 });
    expect(unbound.items.map(({ id }) => id)).toEqual(['key_2']);
  });

  test('removing an agent removes its tools and unbinds its keys', async () => {
    await seed(store());
    const { agents, keys, tools, sources, connections } = store().settings;
    expect(await agents.remove('agent_1')).toBe(true);
    expect(await agents.remove('agent_1')).toBe(false);
    expect(await tools.get('tool_1')).toBeNull();
    expect(await sources.get('source_1')).toBeNull();
    expect(await connections.get('connection_1')).toBeNull();
    expect(await keys.get('key_1')).toEqual({ ...key, agentId: null });
  });

  test('keeps what was learned of an agent’s model for as long as it holds, and no longer than the agent', async () => {
    await seed(store());
    const learn = (agentId: string, modelId: string, tokens: number) =>
      store().saveContextWindow({ agentId, modelId, tokens, ttlMs: 10 });
    const known = (modelId: string) => store().getContextWindow({ agentId: 'agent_1', modelId });
    expect(await known('small')).toBeNull();
    await learn('agent_1', 'small', 4_096);
    expect([await known('small'), await known('other')]).toEqual([4_096, null]);
    clock.now = start + 9;
    expect(await known('small')).toBe(4_096);
    clock.now = start + 10;
    expect(await known('small')).toBeNull();
    await learn('agent_1', 'other', 8_192);
    expect([await known('small'), await known('other')]).toEqual([null, 8_192]);
    await learn('agent_2', 'other', 1);
    await store().settings.agents.remove('agent_1');
    expect(await known('other')).toBeNull();
  });

  const idempotency = { scope: 'scope', request: 'hash', result: null, ttlMs: 99_999 };
  const everything = enqueueRequest({ files: naming('file_1'), idempotency });

  async function openWithEverything(): Promise<void> {
    await uploaded(store());
    await store().enqueue(everything);
    const lease = { sessionId: 'session_1', epoch: 1 };
    await store().commit(lease, { events: [delta('a')], history: [{ turn: 1, message: 'a' }] });
  }

  async function expectNothingLeft(): Promise<void> {
    expect(await store().getSession('session_1')).toBeNull();
    expect(await logOf(store(), 'session_1')).toEqual([]);
    expect(await historyOf(store(), 'session_1')).toEqual([]);
    expect(await store().listQueue('session_1')).toEqual([]);
    expect(await store().files.get('file_1')).toBeNull();
    expect(await store().files.chunk('file_1', 0)).toBeNull();
    const late = { events: [delta('late')] };
    await expect(store().commit({ sessionId: 'session_1', epoch: 1 }, late)).rejects.toThrow(LeaseLostError);
    expect(await store().enqueue({ ...everything, files: null, open: opening })).toMatchObject({
      outcome: 'accepted',
      nextIndex: 0,
    });
  }

  test('removing a session removes its events, history, queue, files and idempotency rows', async () => {
    await opened(store(), 'session_2');
    await openWithEverything();
    expect(await store().removeSession('session_1')).toBe(true);
    expect(await store().removeSession('session_1')).toBe(false);
    await expectNothingLeft();
    expect(await store().listQueue('session_2')).toHaveLength(1);
  });

  test('removing a tenant removes its agents, keys, tools and sessions, and nothing of another', async () => {
    await seed(store());
    await openWithEverything();
    const { tenants, agents, keys, tools, sources, connections, webhooks } = store().settings;
    await tenants.insert({ ...tenant, id: 'tenant_2' });
    await agents.insert({ ...agent, id: 'agent_2', tenantId: 'tenant_2' });
    const foreign = { ...opening, tenantId: 'tenant_2', agentId: 'agent_2' };
    await store().enqueue(enqueueRequest({ sessionId: 'session_2', open: foreign }));
    await uploaded(store(), { id: 'unsent' });
    await uploaded(store(), { id: 'foreign', tenantId: 'tenant_2', agentId: 'agent_2' });
    const { files } = store();
    await files.begin({ ...textFile, id: 'on-its-way' }, { quotas: [], ttlMs: 3_600_000 });

    expect(await tenants.remove('tenant_1')).toBe(true);
    expect(await files.get('unsent')).toBeNull();
    const late = await files.append('on-its-way', new Uint8Array([1]), { quotas: [] });
    expect(late).toEqual({ outcome: 'missing' });
    expect(await files.get('foreign')).not.toBeNull();
    expect(await tenants.remove('tenant_1')).toBe(false);
    expect(await tenants.get('tenant_1')).toBeNull();
    expect(await agents.get('agent_1')).toBeNull();
    expect(await keys.byDigest('digest_1')).toBeNull();
    expect(await sources.get('source_1')).toBeNull();
    expect(await connections.get('connection_1')).toBeNull();
    expect(await webhooks.get('webhook_1')).toBeNull();
    expect(await tools.get('tool_1')).toBeNull();
    await expectNothingLeft();
    expect(await agents.get('agent_2')).not.toBeNull();
    expect(await store().listQueue('session_2')).toHaveLength(1);
  });
}
