import { contactExportSchema } from '@parley/protocol/settings/contact';
import { expect, test } from 'vitest';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { request } from '../../testing/test-service.ts';
import { said, sharedService, Visitor } from '../../testing/visitor.ts';
import { as, identitySecret } from '../../testing/visitor-token.ts';

const service = await sharedService();
const allDay = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }];

const script = [
  { when: 'who am I', steps: [{ call: 'contact_read', input: {} }, { say: '{{result}}' }] },
  ...['name', 'email', 'shoes'].map((field) => ({
    when: `note ${field} as (\\S+)`,
    steps: [{ call: 'contact_update', input: { fields: { [field]: '{{1}}' } } }, { say: '{{result}}' }],
  })),
  {
    when: 'move to (\\S+)',
    steps: [{ call: 'contact_move', input: { stage: '{{1}}' } }, { say: '{{result}}' }],
  },
  { when: 'free', steps: [{ call: 'desk__free_slots', input: { days: 2 } }, { say: '{{result}}' }] },
  {
    when: 'book (\\S+) for (\\S+)',
    steps: [
      { call: 'desk__book', input: { start: '{{1}}', name: '{{2}}', note: 'Of {{2}}' } },
      { say: '{{result}}' },
    ],
  },
  { steps: [{ say: 'Heard {{input}}' }] },
];

type Json = Record<string, unknown>;

/** A firm with an agent that may change contacts. */
async function firm(fields: Json = {}) {
  const created = async (path: string, body: unknown) => {
    const answer = await service.settings('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Firm' });
  const newAgent = async (more: Json = {}) => {
    const model = { provider: 'scripted', script };
    const identity = { secret: identitySecret };
    const widget = { form: { fields: [{ name: 'city', label: 'City' }] } };
    const about = { tenantId, name: 'Ada', model, identity, widget, contacts: 'change', ...fields, ...more };
    const { id: agentId } = await created('/agents', about);
    const key = async (kind: string) => (await created('/keys', { tenantId, agentId, kind })).key as string;
    const keys = { publishable: await key('publishable'), secret: await key('secret') };
    const visitor = async (name: string | null) => {
      const somebody = new Visitor(service.url, keys.publishable);
      if (name !== null) Object.assign(somebody.headers, await as(agentId, name));
      return somebody;
    };
    return { agentId, keys, visitor };
  };
  const contacts = async (query = '') =>
    (await service.settings('GET', `/contacts?tenantId=${tenantId}${query}`)).body.items as Json[];
  return { tenantId, created, newAgent, contacts };
}

/** What the agent answers to the first message of a conversation. */
async function answerTo(visitor: Visitor, message: string, more: Json = {}): Promise<string> {
  return said(await (await visitor.start(message, more)).log(1)).at(-1) ?? '';
}

test('whoever has proved who they are is one contact of the tenant, and nobody by what they type', async () => {
  const { newAgent, contacts } = await firm();
  const [one, other] = [await newAgent(), await newAgent()];
  const typed = { clientContext: { visitor: { city: 'Oslo', admin: 'yes' } } };
  await answerTo(await one.visitor(null), 'I am ada', typed);
  expect(await contacts()).toEqual([]);
  const anonymous = await (await one.visitor(null)).start('Hello');
  await anonymous.log(1);
  await answerTo(await one.visitor('ada'), 'Hello', typed);
  await answerTo(await other.visitor('ada'), 'Hello');
  const [ada, ...others] = await contacts();
  expect(others).toEqual([]);
  expect(ada).toMatchObject({ visitor: 'ada', stage: 'new', fields: {}, said: { city: 'Oslo' } });
  // Somebody who signs in later brings what they began before.
  const later = await (
    await one.visitor('grace')
  ).post(`/${anonymous.id}/identify`, {
    continuationToken: anonymous.token,
  });
  expect(later.status).toBe(200);
  expect(new Set((await contacts()).map(({ visitor }) => visitor))).toEqual(new Set(['ada', 'grace']));
});

test('the agent reads, notes and moves the contact it talks to, and what the team changes is its next answer', async () => {
  const { tenantId, newAgent, contacts } = await firm();
  const agent = await newAgent();
  const ada = await agent.visitor('ada');
  const read = async () => JSON.parse(await answerTo(ada, 'who am I')) as Json;
  expect(await read()).toMatchObject({ stage: 'new', said: {} });
  expect(await answerTo(ada, 'note email as ada@example.com')).toBe('{"done":true}');
  expect(await answerTo(ada, 'note shoes as 42')).toContain(
    'There is no field shoes. Use one of: name, email',
  );
  expect(await answerTo(ada, 'move to customer')).toBe('{"done":true}');
  expect(await answerTo(ada, 'move to heaven')).toContain('There is no stage heaven.');
  const noted = { email: { value: 'ada@example.com', by: 'agent' } };
  const [contact] = await contacts();
  expect(contact).toMatchObject({ stage: 'customer', fields: noted });
  const path = `/contacts/${String(contact?.['id'])}`;

  const pipeline = {
    stages: [
      { id: 'first', name: 'First' },
      { id: 'won', name: 'Won' },
    ],
    fields: [{ id: 'email', name: 'E-mail' }],
  };
  await service.settings('PATCH', `/tenants/${tenantId}`, { pipeline });
  // Its stage is gone: it is in the first one, and found there.
  expect(await contacts('&stage=first')).toMatchObject([{ stage: 'first' }]);
  expect((await service.settings('PATCH', path, { stage: 'customer' })).status).toBe(400);
  const moved = await service.settings('PATCH', path, { stage: 'won', fields: { email: 'a@b.example' } });
  expect(moved.body).toMatchObject({ stage: 'won', fields: { email: { value: 'a@b.example', by: 'team' } } });
  expect(await contacts('&stage=first')).toEqual([]);
  expect(await contacts('&search=A%40B.ex')).toHaveLength(1);
  const email = { id: 'email', name: 'E-mail', value: 'a@b.example' };
  expect(await read()).toMatchObject({ stage: 'won', fields: [email] });

  // Whom it talks to is what the visitor proved, and nothing that they say.
  expect(await answerTo(await agent.visitor(null), 'who am I')).toContain('The visitor has not signed in');
  expect(await answerTo(await agent.visitor('eve'), 'who am I')).not.toContain('a@b.example');
  const change = { contacts: 'read' };
  await service.settings('PATCH', `/agents/${agent.agentId}`, change);
  expect(await answerTo(ada, 'move to first')).toBe('I cannot use contact_move here.');
  expect(await read()).toMatchObject({ stage: 'won' });
});

test('on Chat there is neither a contact, nor a thread, nor a tool for them, whatever the settings say', async () => {
  const { tenantId, newAgent, contacts } = await firm({ approvalsOnChat: true });
  for (const access of ['none', 'read', 'change']) {
    const { agentId, keys } = await newAgent({ contacts: access });
    for (const key of [keys.secret, keys.publishable]) {
      for (const text of ['who am I', 'note name as Ada', 'move to customer']) {
        const answer = await request(`${service.url}/api/v1/agent/chat`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            ...(await as(agentId, 'ada')),
          },
          body: JSON.stringify({ id: 'c', text }),
        });
        expect(answer.status).toBe(200);
        expect(answer.body.text).toMatch(/^I cannot use contact_(read|update|move) here\.$/);
      }
    }
  }
  expect(await contacts()).toEqual([]);
  const inbox = await service.settings('GET', `/inbox?tenantId=${tenantId}`);
  expect(inbox.body.items).toEqual([]);
});

test('an erased person is in no table, file or index any more, and the receipt says nothing of them', async () => {
  const { tenantId, created, newAgent, contacts } = await firm();
  const { agentId, keys, visitor } = await newAgent();
  const calendar = { agentId, kind: 'calendar', name: 'desk', timeZone: 'UTC', hours: allDay };
  const desk = await created('/connections', { ...calendar, title: 'Fitting', approval: 'never' });
  const heron = await visitor('heron-visitor');
  await service.stored.sql(
    `INSERT INTO sign_ins (id, tenant_id, agent_id, connection_id, visitor, status, version, created_at)
     VALUES ('sign_in_1', ?, ?, ?, 'heron-visitor', 'signed-in', 0, '2026-01-01T00:00:00.000Z') RETURNING id`,
    tenantId,
    agentId,
    String(desk.id),
  );
  const file = { type: 'file', mediaType: 'text/plain', filename: 'heron.txt', data: btoa('heron-file') };
  const context = { clientContext: { visitor: { city: 'heron-city' } } };
  const session = await heron.start([{ type: 'text', text: 'heron-message' }, file], context);
  await session.log(1);
  await heron.post(`/${session.id}/feedback`, { turnId: 'turn_0', rating: 'down', comment: 'heron-comment' });
  await service.settings('POST', `/conversations/${session.id}/notes`, { text: 'heron-note' });
  await (await heron.start('heron-reset')).control('reset');
  // The first of them may be over before it is booked.
  const { slots } = JSON.parse(await answerTo(heron, 'What is free?')) as { slots: string[] };
  expect(await answerTo(heron, `book ${slots[1]} for heron-guest`)).toContain(String(slots[1]).slice(0, 16));
  expect(await answerTo(heron, 'note name as heron-name')).toBe('{"done":true}');
  const upload = await request(`${service.url}/parley/v1/session/file`, {
    method: 'POST',
    headers: { ...heron.headers, 'content-type': 'text/plain' },
    body: 'heron-upload',
  });
  expect(upload.status, JSON.stringify(upload.body)).toBe(201);
  const chat = await request(`${service.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { ...heron.headers, authorization: `Bearer ${keys.publishable}` },
    body: JSON.stringify({ id: 'heron-chat', text: 'heron-text' }),
  });
  expect(chat.status).toBe(200);
  await answerTo(await visitor('magpie'), 'magpie-message');
  const [contact] = await contacts('&search=heron');
  const path = `/contacts/${String(contact?.['id'])}`;

  const { body: whole } = await service.settings('GET', `${path}/export`);
  expect(contactExportSchema.safeParse(whole).error).toBeUndefined();
  const exported = JSON.stringify(whole);
  expect(whole.signIns).toMatchObject([{ agentId, connectionId: desk.id, status: 'signed-in' }]);
  for (const each of ['visitor', 'city', 'name', 'message', 'comment', 'note', 'guest', 'reset', 'text'])
    expect(exported).toContain(`heron-${each}`);
  expect(exported).not.toContain('magpie');
  for (const each of ['heron', 'heron-upload']) expect(await service.stored.count(each)).toBeGreaterThan(0);

  const admin = await signedInMember(service, { role: 'admin', tenantId, name: 'Grace' });
  const receipt = await admin.call(service, 'POST', `${path}/erase`);
  expect(receipt.body).toEqual({
    contactId: contact?.['id'],
    at: expect.any(String),
    by: { id: admin.id, name: 'Grace' },
    complete: true,
    erased: { contacts: 1, conversations: 6, files: 1, appointments: 1, signIns: 1 },
  });
  await expect.poll(() => service.stored.count('heron')).toBe(0);
  expect(await service.stored.count('magpie')).toBeGreaterThan(0);
  expect((await service.settings('GET', path)).status).toBe(404);
  const changes = await service.settings('GET', `/audit?tenantId=${tenantId}`);
  expect(changes.body.items[0]).toMatchObject({
    action: 'deleted',
    kind: 'contact',
    subject: { id: contact?.['id'], name: null },
    before: { conversations: 6 },
  });
  // Its time is taken still.
  expect(await answerTo(await visitor(null), 'What is free?')).not.toContain(String(slots[1]));
});

test('an export has what was booked before anybody knew for whom, as an erasure has it', async () => {
  const { created, newAgent, contacts } = await firm();
  const { agentId, visitor } = await newAgent();
  const calendar = { agentId, kind: 'calendar', name: 'desk', timeZone: 'UTC', hours: allDay };
  await created('/connections', { ...calendar, approval: 'never' });
  const session = await (await visitor(null)).start('What is free?');
  const { slots } = JSON.parse(said(await session.log(1)).at(-1) ?? '') as { slots: string[] };
  await session.send({ message: `book ${slots[1]} for heron` });
  expect(said(await session.log(2)).at(-1)).toContain('appointment_');
  const heron = await visitor('heron');
  const known = await heron.post(`/${session.id}/identify`, { continuationToken: session.token });
  expect(known.status).toBe(200);
  const path = `/contacts/${String((await contacts())[0]?.['id'])}`;
  const exported = (await service.settings('GET', `${path}/export`)).body;
  expect(exported.appointments).toMatchObject([{ name: 'heron', note: 'Of heron' }]);
  const receipt = await service.settings('POST', `${path}/erase`);
  expect(receipt.body.erased).toMatchObject({ appointments: 1 });
});

test('nobody of another tenant meets a contact', async () => {
  const { tenantId, newAgent, contacts } = await firm();
  await answerTo(await (await newAgent()).visitor('ada'), 'Hello');
  const path = `/contacts/${String((await contacts())[0]?.['id'])}`;
  const { body: foreign } = await service.settings('POST', '/tenants', { name: 'Other' });
  const eve = await signedInMember(service, { role: 'owner', tenantId: foreign.id });
  const tries: [string, string, unknown?][] = [
    ['GET', path],
    ['GET', `${path}/conversations`],
    ['GET', `${path}/export`],
    ['PATCH', path, { stage: 'customer' }],
    ['POST', `${path}/erase`],
    ['GET', `/contacts?tenantId=${tenantId}`],
  ];
  for (const [method, to, body] of tries)
    expect([to, (await eve.call(service, method, to, body)).status]).toEqual([to, 404]);
  expect((await eve.call(service, 'GET', '/contacts')).body.items).toEqual([]);
  const own = await service.settings('GET', `${path}/conversations`);
  expect(own.body.items).toMatchObject([{ visitor: 'ada', tenantId }]);
});
