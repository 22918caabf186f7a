import { beforeAll, expect, test } from 'vitest';
import { type SharedService, type TestAgent, sharedService } from '../../testing/visitor.ts';
import { as, identitySecret } from '../../testing/visitor-token.ts';

const script = [
  { when: '^add', steps: [{ call: 'add', input: { name: 'heron' } }, { say: 'Added.' }] },
  { steps: [{ say: 'You said: {{input}}' }] },
];
const tools = [{ name: 'add', visibility: 'status' }];

let service: SharedService;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent(script, { agent: { identity: { secret: identitySecret } }, tools });
});

const get = async (path: string) => (await service.settings('GET', `/conversations${path}`)).body;
const status = async (method: string, path: string) =>
  (await service.settings(method, `/conversations${path}`)).status;
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

test('conversations are listed with who, how it began and how it stands, and found by it', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const first = await agent.visitor.start('When do you open?');
  await first.log(1);
  const { body } = await agent.visitor.post('', { message: 'Bring milk' }, await as(agent.agentId, 'ada'));
  const second = String(body.sessionId);
  await expect.poll(async () => (await get(`?tenantId=${agent.tenantId}`)).items.length).toBe(2);
  const view = {
    tenantId: agent.tenantId,
    agentId: agent.agentId,
    interface: 'sessions',
    conversationId: null,
    status: 'open',
    turns: 1,
    rating: null,
    createdAt: expect.stringMatching(/Z$/),
    activeAt: expect.stringMatching(/Z$/),
  };
  const listed = await get(`?tenantId=${agent.tenantId}`);
  expect(listed).toEqual({
    items: [
      { ...view, id: second, visitor: 'ada', firstMessage: 'Bring milk' },
      { ...view, id: first.id, visitor: null, firstMessage: 'When do you open?' },
    ],
    next: null,
  });
  expect(await get(`/${first.id}`)).toEqual(listed.items[1]);
  await agent.visitor.post(`/${first.id}/feedback`, { turnId: 'turn_0', rating: 'down' });
  await first.control(`${first.id}/end`);
  const of = `?agentId=${agent.agentId}`;
  for (const query of [
    'status=ended',
    'rating=down',
    'search=OPEN+you',
    'search=said+ope',
    `search=${first.id}`,
  ])
    expect(idsOf(await get(`${of}&${query}`)), query).toEqual([first.id]);
  // By who it is with and what was said, and neither by a part within a word nor by what is no word at all.
  for (const query of ['ada', 'ADA+Bring', 'MÍLK'])
    expect(idsOf(await get(`${of}&search=${query}`)), query).toEqual([second]);
  for (const query of ['ilk', '%25', 'bread+milk', '"milk'])
    expect(idsOf(await get(`${of}&search=${query}`)), query).toEqual(query === '"milk' ? [second] : []);
  const { items } = await get(`${of}&search=milk`);
  expect(items).toMatchObject([{ match: { before: 'You said: Bring ', words: 'milk', after: '' } }]);
  expect(idsOf(await get(`${of}&from=${today}`))).toHaveLength(2);
  expect(idsOf(await get(`${of}&to=2026-01-01`))).toEqual([]);
  const page = await get(`${of}&limit=1`);
  expect(idsOf(await get(`${of}&limit=1&cursor=${page.next}`))).toEqual([first.id]);
  for (const query of ['from=yesterday', 'status=none', 'rating=5', `search=${'x'.repeat(201)}`, 'limit=201'])
    expect(await status('GET', `${of}&${query}`), query).toBe(400);
  expect(await status('GET', '')).toBe(400);
});

test('the log comes page by page, and shows what a tool was given', async () => {
  const session = await agent.visitor.start('add a heron');
  await session.log(1);
  const events: { index: number; event: { type: string } }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await get(`/${session.id}/events?limit=3${cursor && `&cursor=${cursor}`}`);
    expect(page.items.length).toBeLessThanOrEqual(3);
    events.push(...page.items);
    cursor = page.next;
  }
  expect(events.map(({ index }) => index)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)?.event.type).toBe('session.waiting');
  const [requested] = events.filter(({ event }) => event.type === 'actions.requested');
  expect(requested).toMatchObject({ event: { data: { actions: [{ input: { name: 'heron' } }] } } });
  expect(JSON.stringify(events)).not.toContain(session.token);
  expect(await get(`/${session.id}/turns`)).toMatchObject({
    items: [
      {
        sequence: 0,
        status: 'completed',
        modelId: 'scripted',
        configuration: expect.any(String),
        cost: null,
      },
    ],
    next: null,
  });
  const text = await service.settings('GET', `/conversations/${session.id}/transcript`);
  expect(text.headers.get('content-disposition')).toMatch(/^attachment; filename="conversation-.*\.txt"$/);
  expect(text.body).toContain('add a heron');
  expect((await get(`/${session.id}/transcript?format=json`)).events).toHaveLength(events.length);
});

test('to another tenant there is no such conversation, and what is deleted is gone', async () => {
  const other = await service.agent(script);
  const session = await agent.visitor.start('heron-secret');
  await session.log(1);
  for (const search of [session.id, 'heron'])
    expect(idsOf(await get(`?tenantId=${other.tenantId}&search=${search}`)), search).toEqual([]);
  expect(idsOf(await get(`?tenantId=${agent.tenantId}&search=heron-secret`))).toEqual([session.id]);
  expect(await status('GET', `?tenantId=${other.tenantId}&agentId=${agent.agentId}`)).toBe(404);
  expect(await status('DELETE', `/${session.id}`)).toBe(204);
  for (const path of ['', '/events', '/turns', '/transcript'])
    expect(await status('GET', `/${session.id}${path}`), path).toBe(404);
  expect(await status('DELETE', `/${session.id}`)).toBe(404);
  expect(idsOf(await get(`?tenantId=${agent.tenantId}&search=heron-secret`))).toEqual([]);
  const { items } = (await service.settings('GET', `/audit?tenantId=${agent.tenantId}&limit=1`)).body;
  expect(items).toMatchObject([
    {
      action: 'deleted',
      kind: 'conversation',
      subject: { id: session.id, name: null },
      before: { agentId: agent.agentId, turns: 1 },
      after: null,
    },
  ]);
  expect(JSON.stringify(items)).not.toContain('heron-secret');
});
