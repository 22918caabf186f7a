import { beforeAll, expect, test } from 'vitest';
import { followInbox } from '../../testing/follow-inbox.ts';
import { type SignedInMember, signedInMember } from '../../testing/signed-in-member.ts';
import { request } from '../../testing/test-service.ts';
import {
  asked,
  dataOf,
  type SharedService,
  sharedService,
  type TestAgent,
  typesOf,
  Visitor,
} from '../../testing/visitor.ts';

const script = [
  {
    when: '^refund',
    steps: [
      { call: 'look', input: { name: 'x' } },
      { call: 'refund', input: { name: 'heron' } },
    ],
  },
  { steps: [{ say: 'The agent: {{input}}' }] },
];
const tools = [{ name: 'refund', approval: 'always' }, { name: 'look' }];

let service: SharedService;
let agent: TestAgent;
let grace: SignedInMember;
let alan: SignedInMember;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent(script, { tools });
  const { tenantId } = agent;
  grace = await signedInMember(service, { role: 'agent', tenantId, name: 'Grace' });
  alan = await signedInMember(service, { role: 'admin', tenantId, name: 'Alan' });
});

const ids = async (member: SignedInMember, view: string) =>
  (await member.call(service, 'GET', `/inbox?view=${view}`)).body.items.map(({ id }: { id: string }) => id);

test('an approval that waits is withdrawn, a late yes is a message, and the tool is not called', async () => {
  const session = await agent.visitor.start('refund');
  const [request] = asked(await session.log(1));
  expect(request?.kind).toBe('tool-approval');
  const at = `/conversations/${session.id}`;
  expect((await grace.call(service, 'POST', `${at}/take-over`)).status).toBe(200);
  await session.send({ inputResponses: [{ requestId: request?.requestId, optionId: 'approve' }] });
  const log = await session.log(2);
  expect(dataOf(log, 'input.expired')).toMatchObject([{ requestId: request?.requestId }]);
  expect(dataOf(log, 'message.received').at(-1)?.message).toBe('Yes');
  expect(service.endpoint.calls.filter(({ path }) => path.includes('refund'))).toEqual([]);
  expect(dataOf(log, 'turn.started').at(-1)?.author).toEqual({ kind: 'team', name: 'Grace' });
});

test('who takes over stands before what a visitor has queued, however much that is', async () => {
  const slow = [{ when: 'slow', steps: [{ say: 'One moment' }, { wait: 600_000 }] }, ...script];
  const { tenantId, visitor } = await service.agent(slow);
  const edith = await signedInMember(service, { role: 'agent', tenantId, name: 'Edith' });
  const session = await visitor.start('slow, please');
  const waiting = 5;
  for (let sent = 0; sent < waiting; sent += 1)
    expect((await session.send({ message: '🙂'.repeat(20_000) })).status).toBe(200);
  const taken = await edith.call(service, 'POST', `/conversations/${session.id}/take-over`);
  expect([taken.status, taken.body.holder]).toEqual([200, { id: edith.id, name: 'Edith' }]);
  const types = typesOf(await session.log(1 + waiting));
  expect(types.indexOf('team.joined')).toBe(types.indexOf('turn.cancelled') + 2);
  expect(types.filter((type) => type === 'message.completed')).toEqual([]);
});

test('an admin hands back what another member holds, and the agent waits where nobody waits for it', async () => {
  const session = await agent.visitor.start('Hello');
  await session.log(1);
  const at = `/conversations/${session.id}`;
  await grace.call(service, 'POST', `${at}/take-over`);
  expect((await alan.call(service, 'POST', `${at}/messages`, { text: 'Me too' })).status).toBe(409);
  await grace.call(service, 'POST', `${at}/messages`, { text: 'Hello, Grace here.' });
  const read = await alan.call(service, 'GET', `${at}/thread`);
  expect(read.body).toMatchObject({
    holder: { name: 'Grace' },
    waitingSince: null,
    summary: 'Grace: Hello, Grace here.',
  });
  expect((await alan.call(service, 'POST', `${at}/hand-back`, { summary: null })).status).toBe(200);
  const log = await session.log(2);
  expect(dataOf(log, 'turn.started')).toHaveLength(2);
  await session.send({ message: 'And now?' });
  const answers = dataOf(await session.log(3), 'message.completed').map(({ author, message }) => [
    author?.name,
    message,
  ]);
  expect(answers).toEqual([
    [undefined, 'The agent: Hello'],
    ['Grace', 'Hello, Grace here.'],
    [undefined, 'The agent: And now?'],
  ]);
  expect((await alan.call(service, 'POST', `${at}/hand-back`, { summary: null })).body.error).toBe(
    'The agent answers in this conversation. Take it over first.',
  );
  await session.control(`${session.id}/end`);
  expect((await grace.call(service, 'POST', `${at}/take-over`)).body.error).toBe(
    'The conversation has ended.',
  );
});

test('the inbox shows what waits for a person, whose it is and what nobody looks after', async () => {
  const own = await agent.visitor.start('I need help');
  const other = await agent.visitor.start('Me too');
  await Promise.all([own.log(1), other.log(1)]);
  const at = `/conversations/${own.id}`;
  expect(await ids(grace, 'unassigned')).toEqual(expect.arrayContaining([own.id, other.id]));
  await grace.call(service, 'POST', `${at}/take-over`);
  expect(await ids(grace, 'mine')).toContain(own.id);
  expect(await ids(grace, 'unassigned')).not.toContain(own.id);
  expect(await ids(alan, 'waiting')).not.toContain(own.id);
  await own.send({ message: 'Hello?' });
  await expect.poll(() => ids(alan, 'waiting')).toContain(own.id);
  const assigned = await grace.call(service, 'POST', `${at}/assign`, { memberId: alan.id });
  expect(assigned.body).toMatchObject({ assignee: { name: 'Alan' }, holder: { name: 'Grace' } });
  expect(await ids(alan, 'mine')).toContain(own.id);
  expect(await ids(grace, 'mine')).not.toContain(own.id);
  const foreign = await signedInMember(service, {
    role: 'owner',
    tenantId: (await service.agent(script)).tenantId,
  });
  expect((await grace.call(service, 'POST', `${at}/assign`, { memberId: foreign.id })).status).toBe(400);
  const viewer = await signedInMember(service, { role: 'viewer', tenantId: agent.tenantId });
  const refused = await grace.call(service, 'POST', `${at}/assign`, { memberId: viewer.id });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('A viewer may not answer conversations.');
  const note = (await grace.call(service, 'POST', `${at}/notes`, { text: 'Call back' })).body.notes[0];
  expect((await foreign.call(service, 'GET', `${at}/thread`)).status).toBe(404);
  await alan.call(service, 'POST', `${at}/notes`, { text: 'Done' });
  expect((await alan.call(service, 'DELETE', `${at}/notes/${note.id}`)).status).toBe(204);
  const { notes } = (await grace.call(service, 'GET', `${at}/thread`)).body;
  expect((await grace.call(service, 'DELETE', `${at}/notes/${notes[0].id}`)).status).toBe(403);
  expect((await grace.call(service, 'GET', '/inbox?view=all')).body.items).toContainEqual(
    expect.objectContaining({ id: own.id, notes: 1, holder: { id: grace.id, name: 'Grace' } }),
  );
});

test('a message shows on a colleague’s screen as it is appended', async () => {
  const session = await agent.visitor.start('Hello');
  await session.log(1);
  const controller = new AbortController();
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test follows the stream from outside
  const response = await fetch(
    `${service.url}/api/v1/settings/conversations/${session.id}/stream?startIndex=2`,
    {
      headers: grace.headers,
      signal: controller.signal,
    },
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (expected: string) => {
    while (!text.includes(expected)) text += (await reader.read()).value ?? '';
  };
  await until('The agent: Hello');
  expect(text).not.toContain('turn.started');
  await session.send({ message: 'Is it you?' });
  await until('Is it you?');
  expect(text).not.toContain(session.token);
  controller.abort();
});

test('colleagues are who may answer for a tenant: nobody of another one, and to its own nobody of all', async () => {
  const { tenantId } = await service.agent(script);
  const join = (role: 'agent' | 'viewer', of: string | null) =>
    signedInMember(service, { role, tenantId: of });
  const edith = await join('agent', tenantId);
  await join('viewer', tenantId);
  const operator = await join('agent', null);
  const colleaguesOf = async (member: SignedInMember) => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = `/inbox/colleagues?tenantId=${tenantId}&limit=1${cursor && `&cursor=${cursor}`}`;
      const { body } = await member.call(service, 'GET', page);
      found.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.next;
    }
    return found;
  };
  expect(await colleaguesOf(edith)).toEqual([edith.id]);
  expect(await colleaguesOf(operator)).toEqual(expect.arrayContaining([edith.id, operator.id]));
  const foreign = await grace.call(service, 'GET', `/inbox/colleagues?tenantId=${tenantId}`);
  expect([foreign.status, foreign.body.items]).toEqual([404, undefined]);
});

test('what changes in a conversation shows in a colleague’s list, and in no other tenant’s', async () => {
  const elsewhere = await service.agent(script);
  const stranger = await signedInMember(service, { role: 'owner', tenantId: elsewhere.tenantId });
  const [mine, theirs] = await Promise.all([followInbox(service, alan), followInbox(service, stranger)]);
  const session = await agent.visitor.start('Is this live?');
  await mine.items((items) => items.some(({ id, status }) => id === session.id && status === 'open'));
  const at = `/conversations/${session.id}`;
  await grace.call(service, 'POST', `${at}/take-over`);
  await mine.items((items) => items.some(({ holder }) => holder?.name === 'Grace'));
  await session.send({ message: 'Hello?' });
  await mine.items((items) => items.some(({ waitingSince }) => waitingSince !== null));
  await grace.call(service, 'POST', `${at}/assign`, { memberId: alan.id });
  await mine.items((items) => items.some(({ assignee }) => assignee?.name === 'Alan'));
  await grace.call(service, 'POST', `${at}/notes`, { text: 'canary' });
  const items = await mine.items((seen) => seen.some(({ notes }) => notes === 1));
  expect(items.at(-1)).toEqual((await alan.call(service, 'GET', '/inbox?view=mine')).body.items[0]);
  const own = await elsewhere.visitor.start('Theirs');
  const seen = await theirs.items((all) => all.some(({ id }) => id === own.id));
  expect(new Set(seen.map(({ tenantId }) => tenantId))).toEqual(new Set([elsewhere.tenantId]));
  const foreign = await grace.call(service, 'GET', `/inbox/stream?tenantId=${elsewhere.tenantId}`);
  expect(foreign.status).toBe(404);
});

test('a conversation that is reset, running or not, has ended in the lists, and one that is deleted leaves them', async () => {
  const slow = [{ when: 'slow', steps: [{ say: 'One moment' }, { wait: 600_000 }] }, ...script];
  const { tenantId, visitor } = await service.agent(slow);
  const elsewhere = await service.agent(script);
  const barbara = await signedInMember(service, { role: 'admin', tenantId, name: 'Barbara' });
  const stranger = await signedInMember(service, { role: 'owner', tenantId: elsewhere.tenantId });
  const [idle, running] = [await visitor.start('Hello'), await visitor.start('slow, please')];
  await idle.log(1);
  const follower = await running.follow('?soFar=0');
  await follower.until(({ text }) => text.includes('One moment'));
  follower.close();
  const [list, theirs] = [await followInbox(service, barbara), await followInbox(service, stranger)];
  for (const session of [idle, running]) {
    expect((await session.control('reset')).status).toBe(200);
    await list.items((items) => items.some(({ id, status }) => id === session.id && status === 'ended'));
  }
  for (const { id } of [idle, running]) {
    expect((await barbara.call(service, 'DELETE', `/conversations/${id}`)).status).toBe(204);
    await list.changes((all) => all.some((change) => change.type === 'removed' && change.id === id));
  }
  const own = await elsewhere.visitor.start('Theirs');
  const told = await theirs.changes((all) => all.length > 0);
  expect(JSON.stringify(told)).toContain(own.id);
  expect(JSON.stringify(told)).not.toContain('removed');
});

test('a list that is open goes on with an agent that is made meanwhile, and not where another was named', async () => {
  const { tenantId, agentId, visitor } = await service.agent(script);
  const edsger = await signedInMember(service, { role: 'agent', tenantId, name: 'Edsger' });
  const [list, named] = [
    await followInbox(service, edsger),
    await followInbox(service, edsger, `?agentId=${agentId}`),
  ];
  const model = { provider: 'scripted', script };
  const { body: added } = await service.settings('POST', '/agents', { tenantId, name: 'New', model });
  const { body: key } = await service.settings('POST', '/keys', {
    tenantId,
    agentId: added.id,
    kind: 'publishable',
  });
  await service.settings('PATCH', `/agents/${added.id}`, { name: 'Newer' });
  const session = await new Visitor(service.url, String(key.key)).start('Hello');
  const changes = await list.changes((all) =>
    all.some((change) => change.type === 'changed' && change.item.id === session.id),
  );
  expect(changes.filter(({ type }) => type === 'missed')).toHaveLength(1);
  const ofNamed = await visitor.start('Hello');
  const [first] = await named.changes((all) => all.length > 0);
  expect(first).toMatchObject({ type: 'changed', item: { id: ofNamed.id } });
});

test('a visitor who writes to a person outside of the hours is told so once, until somebody answers', async () => {
  const { tenantId, visitor } = await service.agent(script);
  const team = { replies: [], hours: { timeZone: 'UTC' }, awayMessage: 'We are back on Monday.' };
  expect((await service.settings('PATCH', `/tenants/${tenantId}`, { team })).body.team).toEqual(team);
  const session = await visitor.start('Hello');
  await session.log(1);
  const at = `/conversations/${session.id}`;
  await service.settings('POST', `${at}/take-over`);
  for (const [place, message] of ['Anybody?', 'Really nobody?'].entries()) {
    await session.send({ message });
    await session.log(place + 2);
  }
  await service.settings('POST', `${at}/messages`, { text: 'I am.' });
  await session.send({ message: 'And now?' });
  const said = dataOf(await session.log(5), 'message.completed').map(({ author, message }) => [
    author?.kind,
    message,
  ]);
  expect(said).toEqual([
    [undefined, 'The agent: Hello'],
    ['agent', 'We are back on Monday.'],
    ['team', 'I am.'],
    ['agent', 'We are back on Monday.'],
  ]);
});

test('whoever writes to a person is heard while the agent is paused and has no tokens left', async () => {
  const own = await service.agent(script, { agent: { files: { types: ['text/*'] } } });
  const session = await own.visitor.start('Hello');
  await session.log(1);
  const at = `/conversations/${session.id}`;
  const set = (fields: object) => service.settings('PATCH', `/agents/${own.agentId}`, fields);
  const elsewhere = await agent.visitor.start('Hello');
  await service.settings('POST', `/conversations/${elsewhere.id}/take-over`);
  const handBack = () => service.settings('POST', `${at}/hand-back`, { summary: null });
  await service.settings('POST', `${at}/take-over`);
  await set({ active: false, limits: { tokensPerDay: 1 } });
  expect((await own.visitor.post('', { message: 'Hello' })).body.code).toBe('AGENT_INACTIVE');
  expect((await session.send({ message: 'Is anybody there?' })).status).toBe(200);
  await session.log(2);
  // A page that is opened again goes on with what a person answers, and nothing else does.
  const configOf = async (id: string) =>
    (await request(`${service.url}/v1/config?key=${own.publishable.key}&session=${id}`)).body.ok;
  expect(await Promise.all([session.id, '', elsewhere.id].map(configOf))).toEqual([true, false, false]);
  const file = await own.visitor.post('/file', 'hi', { 'content-type': 'text/plain' });
  expect([file.status, file.body.code]).toEqual([201, undefined]);
  expect((await handBack()).status).toBe(200);
  expect((await session.send({ message: 'And now?' })).body.code).toBe('AGENT_INACTIVE');
  await service.settings('POST', `${at}/take-over`);
  await set({ active: true });
  expect((await session.send({ message: 'Hello?' })).status).toBe(200);
  await session.log(3);
  await handBack();
  const log = await session.log(4);
  expect(dataOf(log, 'message.completed').map(({ message }) => message)).toEqual(['The agent: Hello']);
  expect(dataOf(log, 'turn.failed')).toHaveLength(1);
});

test('whoever is no member any more, or may only look, answers in no conversation', async () => {
  const of = { role: 'agent', tenantId: agent.tenantId } as const;
  const leaving = [await signedInMember(service, of), await signedInMember(service, of)];
  const held = await Promise.all(
    leaving.map(async (member) => {
      const session = await agent.visitor.start('Hello');
      await session.log(1);
      const taken = await member.call(service, 'POST', `/conversations/${session.id}/take-over`);
      expect(taken.status).toBe(200);
      await session.send({ message: 'Still there?' });
      const own = { memberId: member.id };
      await member.call(service, 'POST', `/conversations/${session.id}/assign`, own);
      return session;
    }),
  );
  expect((await service.settings('PATCH', `/members/${leaving[0]!.id}`, { role: 'viewer' })).status).toBe(
    200,
  );
  expect((await service.settings('DELETE', `/members/${leaving[1]!.id}`)).status).toBe(204);
  for (const session of held) {
    const follower = await session.follow('?soFar=0');
    const events = await follower.until(({ events: seen }) =>
      dataOf(seen, 'message.completed').some(({ message }) => message === 'The agent: Still there?'),
    );
    follower.close();
    expect(dataOf(events, 'team.left')).toHaveLength(1);
  }
  // Nor is anything theirs to look after: the team finds it again.
  const found = held.map(({ id }) => id);
  await expect.poll(() => ids(grace, 'unassigned')).toEqual(expect.arrayContaining(found));
});

test('the agent is told nothing that the team does not find among its notes', async () => {
  const session = await agent.visitor.start('Hello');
  await session.log(1);
  const at = `/conversations/${session.id}`;
  const fill = async (path: string, count: number) => {
    const answers = Array.from({ length: count }, () =>
      grace.call(service, 'POST', at + path, { text: 'x' }),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(new Set(await fill('/notes', 200))).toEqual(new Set([201]));
  expect((await grace.call(service, 'POST', `${at}/notes`, { text: 'x' })).status).toBe(409);
  const told = await grace.call(service, 'POST', `${at}/whisper`, { text: 'Offer a refund.' });
  expect([told.status, told.body.notes.at(-1).text]).toEqual([200, 'To the agent: Offer a refund.']);
});

test('a search finds by words what is in the view, and nothing of another tenant', async () => {
  const found = async (member: SignedInMember, query: string) =>
    (await member.call(service, 'GET', `/inbox?${query}`)).body.items.map(({ id }: { id: string }) => id);
  const [one, two] = [
    await agent.visitor.start('a purple kayak'),
    await agent.visitor.start('a purple tent'),
  ];
  await Promise.all([one.log(1), two.log(1)]);
  await grace.call(service, 'POST', `/conversations/${one.id}/assign`, { memberId: grace.id });
  // A search waits for some of what was said before it came, and the tests above have said much.
  await expect.poll(() => found(grace, 'view=unassigned&search=purple')).toEqual([two.id]);
  await alan.call(service, 'POST', `/conversations/${two.id}/take-over`);
  await two.send({ message: 'Anybody?' });
  await two.log(2);
  expect(await found(grace, 'view=all&search=purple')).toEqual([two.id, one.id]);
  expect(await found(grace, 'view=mine&search=purple')).toEqual([one.id]);
  expect(await found(grace, 'view=waiting&search=purple')).toEqual([two.id]);
  expect(await found(grace, 'view=waiting&search=kayak')).toEqual([]);
  expect(await found(grace, `view=all&search=${one.id}`)).toEqual([one.id]);
  const { tenantId } = await service.agent(script);
  const ada = await service.settings('GET', `/inbox?tenantId=${tenantId}&search=purple`);
  expect(ada.body.items).toEqual([]);
  expect((await grace.call(service, 'GET', `/inbox?search=${'x'.repeat(201)}`)).status).toBe(400);
});
