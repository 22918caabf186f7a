import { agentCreateSchema } from '@parley/protocol/settings/agent';
import { calendarCreateSchema } from '@parley/protocol/settings/calendar-connection';
import { mcpCreateSchema } from '@parley/protocol/settings/mcp-connection';
import { keyCreateSchema } from '@parley/protocol/settings/key';
import { toolCreateSchema } from '@parley/protocol/settings/tool';
import { webhookCreateSchema } from '@parley/protocol/settings/webhook';
import { expect, onTestFinished, test } from 'vitest';
import type { SettingsPrincipal } from '../auth/principal.ts';
import { Bookings } from '../calendar/bookings.ts';
import { Contacts } from '../contact/contacts.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
import { noWebhooks } from '../testing/no-webhooks.ts';
import { testStore } from '../testing/test-store.ts';
import { createToolRegistry } from '../tool/create-tool-registry.ts';
import { Knowledge } from '../knowledge/knowledge.ts';
import { agentDefinition } from './agent-definition.ts';
import { connectionDefinition } from './connection.ts';
import { notifyWrites } from './notify-writes.ts';
import { keyDefinition } from './key.ts';
import { Resource } from './resource.ts';
import { sourceDefinition } from './source.ts';
import { tenantDefinition } from './tenant.ts';
import { toolDefinition } from './tool.ts';
import { rotatedSecrets, signingSecrets, webhookDefinition } from './webhook.ts';

const admin: SettingsPrincipal = { kind: 'admin' };
const memberOf = (tenantId: string): SettingsPrincipal => ({
  kind: 'member',
  id: 'member',
  name: 'Ada',
  tenantId,
  role: 'owner',
  sessionId: 'session',
});
const model = { provider: 'scripted' as const, model: 'scripted', script: [] };
const page = { limit: 50 };

/** Every kind of settings over a store, and what was announced. */
async function settings() {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  const told: string[] = [];
  /** Done between the judgement of a new key and its writing, and while a connection is asked. */
  const meanwhile = { key: async () => {}, check: async () => {} };
  const stored = {
    ...store.settings,
    keys: {
      ...store.settings.keys,
      insert: async (...inserted: Parameters<typeof store.settings.keys.insert>) => {
        await meanwhile.key();
        return store.settings.keys.insert(...inserted);
      },
    },
  };
  const written = notifyWrites(stored, {
    publish: (message) =>
      void (message.topic === 'settingsChanged' && told.push(`${message.kind} ${message.id}`)),
  });
  const secrets = createSecrets(['s'.repeat(48)]);
  const nobody = () => Promise.reject(new Error('Nothing is called here.'));
  const egress = { request: nobody, fetch: nobody };
  const knowledge = new Knowledge({
    store: store.knowledge,
    sources: written.sources,
    bus: { publish: () => undefined },
    egress,
    logger: createLogger('silent'),
  });
  const toolRegistry = createToolRegistry(
    {
      egress,
      platform: 'parley',
      knowledge,
      bookings: new Bookings(store, (text) => text),
      contacts: new Contacts(store, noWebhooks),
      mailer: { send: nobody },
      connections: {
        count: nobody,
        report: nobody,
        bearer: () => nobody,
        signIns: { token: nobody, link: () => '', settled: nobody },
      },
    },
    createLogger('silent'),
  );
  onTestFinished(() => toolRegistry.close());
  const deps = { settings: written, secrets, toolRegistry };
  const endSessionsOf = async (agentId: string) => void told.push(`end ${agentId}`);
  const sources = new Resource(
    sourceDefinition({
      settings: written,
      read: (record) => knowledge.read(record),
      forget: (record) => knowledge.forget(record),
    }),
  );
  const agents = new Resource(
    agentDefinition({ ...deps, endSessionsOf, removeSource: (record) => sources.remove(record) }),
  );
  const keys = new Resource(keyDefinition(written));
  const tools = new Resource(toolDefinition(deps));
  const removals = {
    removeKey: keys.remove.bind(keys),
    removeAgent: agents.remove.bind(agents),
    removeWebhook: nobody,
  };
  const tenants = new Resource(tenantDefinition({ settings: written, ...removals }));
  const connections = new Resource(
    connectionDefinition({
      ...deps,
      async check() {
        await meanwhile.check();
        return { state: { status: 'failed', since: new Date().toISOString(), problem: null }, denied: null };
      },
      feedUrl: ({ id, feedVersion }) => `https://parley.example/${id}/${feedVersion}`,
      signOutAll: async (id) => void told.push(`sign out ${id}`),
    }),
  );
  const webhooks = new Resource(
    webhookDefinition({
      ...deps,
      refusal: async () => null,
      reload: async () => undefined,
      hurry: async () => undefined,
    }),
  );
  return { tenants, agents, keys, tools, sources, connections, webhooks, secrets, told, meanwhile };
}

type Settings = Awaited<ReturnType<typeof settings>>;

async function tenant({ tenants, agents, keys, tools }: Settings, name: string) {
  const { id: tenantId } = await tenants.create(admin, { name });
  const agent = await agents.create(admin, agentOf(tenantId));
  const key = await keys.create(admin, keyOf(tenantId, agent.id));
  const tool = await tools.create(admin, toolOf(agent.id));
  return { tenantId, agent, key, tool };
}

const agentOf = (tenantId: string) => agentCreateSchema.parse({ tenantId, name: 'Ada', model });
const keyOf = (tenantId: string, agentId: string) =>
  keyCreateSchema.parse({ tenantId, agentId, kind: 'publishable' });
const toolOf = (agentId: string) =>
  toolCreateSchema.parse({
    agentId,
    kind: 'http',
    name: 'find',
    description: 'Finds.',
    parameters: { type: 'object' },
    request: { method: 'GET', url: 'https://api.example.com/' },
  });

const absent = {
  name: 'SettingsError',
  code: 'not-found',
  message: 'There is nothing with this id. It may have been deleted.',
};
const dangling = (field: string) => ({
  code: 'invalid',
  issues: [{ path: [field], message: absent.message }],
});

test('to a member of one tenant, the settings of another do not exist', async () => {
  const all = await settings();
  const own = await tenant(all, 'Own');
  const foreign = await tenant(all, 'Foreign');
  const member = memberOf(own.tenantId);
  const { tenants, agents, keys, tools } = all;
  const kinds = [
    [tenants, own.tenantId, foreign.tenantId],
    [agents, own.agent.id, foreign.agent.id],
    [keys, own.key.id, foreign.key.id],
    [tools, own.tool.id, foreign.tool.id],
  ] as const;
  for (const [resource, ownId, foreignId] of kinds) {
    expect(await resource.read(member, ownId)).toMatchObject({ id: ownId });
    expect((await resource.list(member, page)).items).toMatchObject([{ id: ownId }]);
    await expect(resource.read(member, foreignId)).rejects.toMatchObject(absent);
    await expect(resource.update(member, foreignId, {})).rejects.toMatchObject(absent);
    await expect(resource.delete(member, foreignId)).rejects.toMatchObject(absent);
    await expect(resource.list(member, { ...page, tenantId: foreign.tenantId })).rejects.toMatchObject(
      absent,
    );
    expect(await resource.read(admin, foreignId)).toMatchObject({ id: foreignId });
  }
  expect((await keys.list(member, { ...page, agentId: foreign.agent.id })).items).toEqual([]);
  await expect(agents.create(member, agentOf(foreign.tenantId))).rejects.toMatchObject(dangling('tenantId'));
  await expect(keys.create(member, keyOf(foreign.tenantId, foreign.agent.id))).rejects.toMatchObject(
    dangling('tenantId'),
  );
  await expect(keys.create(member, keyOf(own.tenantId, foreign.agent.id))).rejects.toMatchObject(
    dangling('agentId'),
  );
  // Not that its name is taken there.
  await expect(tools.create(member, toolOf(foreign.agent.id))).rejects.toMatchObject(dangling('agentId'));
  await expect(keys.update(member, own.key.id, { agentId: foreign.agent.id })).rejects.toMatchObject(
    dangling('agentId'),
  );
});

test('of every write, and of all that a removal takes along, the other processes are told', async () => {
  const all = await settings();
  const { tenantId, agent, key } = await tenant(all, 'Own');
  const { tenants, agents, keys, told } = all;
  const toldOf = async (write: Promise<unknown>) => {
    told.length = 0;
    await write;
    return [...told];
  };
  expect(await toldOf(keys.update(admin, key.id, { label: 'Shop' }))).toEqual([`key ${key.id}`]);
  expect(await toldOf(keys.update(admin, key.id, {}))).toEqual([]);
  expect(await toldOf(agents.update(admin, agent.id, { active: false }))).toEqual([`agent ${agent.id}`]);
  expect(await toldOf(tenants.delete(admin, tenantId))).toEqual([
    `key ${key.id}`,
    `agent ${agent.id}`,
    `end ${agent.id}`,
    `tenant ${tenantId}`,
  ]);
  expect(await keys.list(admin, page)).toEqual({ items: [], next: null });
});

test('of changes made at once each is kept, also inside the same field', async () => {
  const all = await settings();
  const { agent, tool } = await tenant(all, 'Firm');
  const patches = [
    { description: 'Says when.' },
    { timeoutMs: 7_000 },
    { visibility: 'full' as const },
    { name: 'find_all' },
  ];
  await Promise.all(patches.map((patch) => all.tools.update(admin, tool.id, patch)));
  expect(await all.tools.read(admin, tool.id)).toMatchObject(Object.assign({}, ...patches));

  const atOnce = [
    { active: false },
    { pauseMessage: 'Back on Monday.' },
    { identity: { secret: 's'.repeat(32) } },
    { instructions: 'Be brief.' },
    { savedQuestions: ['When?'] },
  ];
  await Promise.all(atOnce.map((patch) => all.agents.update(admin, agent.id, patch)));
  const identity = { secret: { set: true, last4: 'ssss' } };
  expect(await all.agents.read(admin, agent.id)).toMatchObject(Object.assign({}, ...atOnce, { identity }));

  const entry = (question: string) => ({ question, answer: 'Yes.' });
  const { id } = await all.sources.create(admin, {
    agentId: agent.id,
    kind: 'faq',
    name: 'Answers',
    entries: [entry('Before?')],
  });
  const questions = ['One?', 'Two?', 'Three?'];
  const add = (question: string) =>
    all.sources.update(admin, id, (record) => {
      const { entries } = record.config as { entries: ReturnType<typeof entry>[] };
      return { entries: [...entries, entry(question)] };
    });
  await Promise.all([...questions.map(add), all.sources.update(admin, id, { name: 'Questions' })]);
  expect(await all.sources.read(admin, id)).toMatchObject({ name: 'Questions' });
  const { entries } = (await all.sources.find(admin, id)).config as { entries: { question: string }[] };
  expect(entries.map(({ question }) => question).toSorted()).toEqual(['Before?', ...questions].toSorted());
});

test('what others change of a connection at the same moment takes back no address that was withdrawn', async () => {
  const all = await settings();
  const { agent } = await tenant(all, 'Firm');
  const calendar = calendarCreateSchema.parse({
    agentId: agent.id,
    kind: 'calendar',
    name: 'visits',
    timeZone: 'Europe/Berlin',
  });
  const { id } = await all.connections.create(admin, calendar);
  const patches = [{ newFeedUrl: true as const }, { location: 'Here' }, { name: 'meetings' }];
  await Promise.all(patches.map((patch) => all.connections.update(admin, id, patch)));
  expect(await all.connections.read(admin, id)).toMatchObject({
    location: 'Here',
    name: 'meetings',
    feedUrl: `https://parley.example/${id}/1`,
  });
});

test('who signed in at a connection is signed out once it is another, and not where that was refused', async () => {
  const all = await settings();
  const { agent } = await tenant(all, 'Firm');
  const server = mcpCreateSchema.parse({
    agentId: agent.id,
    kind: 'mcp',
    name: 'crm',
    url: 'https://crm.example/mcp',
    signIn: 'visitor',
  });
  const { id } = await all.connections.create(admin, server);
  const client = { clientId: 'parley', clientIssuer: 'https://crm.example' };
  all.meanwhile.check = () => Promise.reject(new Error('Nobody is there.'));
  await expect(all.connections.update(admin, id, client)).rejects.toThrow('Nobody is there.');
  expect(all.told).not.toContain(`sign out ${id}`);
  all.meanwhile.check = async () => void all.told.push('checked');
  await all.connections.update(admin, id, client);
  expect(all.told.slice(-4)).toEqual(['checked', `sign out ${id}`, `connection ${id}`, `sign out ${id}`]);
  await all.connections.update(admin, id, { name: 'sales' });
  expect(all.told.at(-1)).toBe(`connection ${id}`);
});

test('of two secrets of a webhook that are made at once both are good', async () => {
  const all = await settings();
  const { tenantId } = await tenant(all, 'Firm');
  const { id } = await all.webhooks.create(
    admin,
    webhookCreateSchema.parse({ tenantId, name: 'CRM', url: 'https://crm.example/', events: ['message'] }),
  );
  const rotate = async () => {
    let shown = '';
    await all.webhooks.change(admin, id, async (record) => {
      const { secret, fields } = rotatedSecrets(record, all.secrets);
      shown = secret;
      return fields;
    });
    return shown;
  };
  const shown = await Promise.all([rotate(), rotate()]);
  const signing = signingSecrets(await all.webhooks.find(admin, id), all.secrets);
  expect(signing.toSorted()).toEqual(shown.toSorted());
});

test('what is removed with another one may be removed by itself at the same moment', async () => {
  const all = await settings();
  const { tenantId, agent, key } = await tenant(all, 'Firm');
  const source = await all.sources.create(admin, {
    agentId: agent.id,
    kind: 'text',
    name: 'Hours',
    text: 'We open at nine.',
  });
  const removals = [
    all.tenants.delete(admin, tenantId),
    all.keys.delete(admin, key.id),
    all.sources.delete(admin, source.id),
    all.agents.delete(admin, agent.id),
  ];
  const [ofTenant, ...others] = await Promise.allSettled(removals);
  expect(ofTenant).toMatchObject({ status: 'fulfilled' });
  for (const other of others)
    if (other.status === 'rejected') expect(other.reason).toMatchObject({ code: 'not-found' });
  for (const kind of [all.tenants, all.agents, all.keys, all.sources])
    expect(await kind.list(admin, page)).toEqual({ items: [], next: null });
});

test('what is created under what is being removed is refused with the field that names it', async () => {
  const all = await settings();
  const { tenantId, agent } = await tenant(all, 'Firm');
  all.meanwhile.key = () => all.agents.delete(admin, agent.id);
  await expect(all.keys.create(admin, keyOf(tenantId, agent.id))).rejects.toMatchObject(dangling('agentId'));
  all.meanwhile.key = () => all.tenants.delete(admin, tenantId);
  const ofTenant = keyCreateSchema.parse({ tenantId, agentId: null, kind: 'secret' });
  await expect(all.keys.create(admin, ofTenant)).rejects.toMatchObject(dangling('tenantId'));
});
