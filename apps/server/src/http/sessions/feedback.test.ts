import { ratingsPerHour } from '@parley/protocol/bounds';
import { beforeAll, expect, test } from 'vitest';
import { type Answer, request } from '../../testing/test-service.ts';
import { type SharedService, type TestAgent, Visitor, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent([{ steps: [{ say: '{{input}}' }] }]);
});

async function answered(at: TestAgent = agent) {
  const session = await at.visitor.start('Hello');
  await session.log(1);
  return session;
}

const rate = (id: string, body: unknown, visitor: Visitor = agent.visitor) =>
  visitor.post(`/${id}/feedback`, body);

const list = (query: string): Promise<Answer> => service.settings('GET', `/feedback${query}`);

const kept = async (sessionId: string, at = agent) => {
  const { items } = (await list(`?agentId=${at.agentId}&limit=200`)).body;
  return items.filter((item: { sessionId: string }) => item.sessionId === sessionId);
};

test('what a visitor thinks of a turn is kept, replaced and taken back', async () => {
  const { id } = await answered();
  const up = await rate(id, { turnId: 'turn_0', rating: 'up' });
  expect(up).toMatchObject({ status: 200, body: { ok: true, sessionId: id, turnId: 'turn_0' } });
  expect(await kept(id)).toEqual([
    { sessionId: id, turnId: 'turn_0', rating: 'up', comment: null, at: expect.stringMatching(/Z$/) },
  ]);
  await rate(id, { turnId: 'turn_0', rating: 'down', comment: 'Not so.' });
  expect(await kept(id)).toMatchObject([{ rating: 'down', comment: 'Not so.' }]);
  expect((await rate(id, { turnId: 'turn_0', rating: null })).status).toBe(200);
  expect(await kept(id)).toEqual([]);
});

test.each<[string, unknown]>([
  ['a turn that never was', { turnId: 'turn_1', rating: 'up' }],
  ['a turn by another name', { turnId: 'turn_00', rating: 'up' }],
  ['no turn', { rating: 'up' }],
  ['another rating', { turnId: 'turn_0', rating: 5 }],
  ['no rating', { turnId: 'turn_0' }],
  ['a comment that is no text', { turnId: 'turn_0', rating: 'up', comment: {} }],
  ['a comment of 20,001 characters', { turnId: 'turn_0', rating: 'up', comment: 'x'.repeat(20_001) }],
])('%s is refused', async (_case, body) => {
  const { id } = await answered();
  expect(await rate(id, body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(await kept(id)).toEqual([]);
});

test('a session of another tenant, or none, cannot be rated', async () => {
  const other = await service.agent([{ steps: [{ say: 'x' }] }]);
  const { id } = await answered(other);
  const body = { turnId: 'turn_0', rating: 'up' };
  const [foreign, unknown] = [await rate(id, body), await rate(`ses_${'0'.repeat(32)}`, body)];
  expect(foreign).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
  expect(await kept(id, other)).toEqual([]);
});

test('a completed session can still be rated', async () => {
  const session = await answered();
  await session.control(`${session.id}/end`);
  expect((await rate(session.id, { turnId: 'turn_0', rating: 'up' })).status).toBe(200);
});

test('the list is the administrator’s, of one agent, in pages', async () => {
  const own = await service.agent([{ steps: [{ say: 'x' }] }]);
  const sessions = [await answered(own), await answered(own), await answered(own)];
  for (const { id } of sessions) await rate(id, { turnId: 'turn_0', rating: 'up' }, own.visitor);
  const first = await list(`?agentId=${own.agentId}&limit=2`);
  const second = await list(`?agentId=${own.agentId}&limit=2&cursor=${first.body.next}`);
  const ids = [...first.body.items, ...second.body.items].map(({ sessionId }) => sessionId);
  expect(ids).toEqual(sessions.map(({ id }) => id));
  expect(second.body.next).toBeNull();
  expect((await list('')).status).toBe(400);
  expect((await list('?agentId=none')).status).toBe(404);
  const bearer = { authorization: `Bearer ${own.secret.key}` };
  const path = `${service.url}/api/v1/settings/feedback?agentId=${own.agentId}`;
  expect((await request(path, { headers: bearer })).status).toBe(401);
});

test('whoever goes on changing a rating is told to wait, and nothing more is kept or told', async () => {
  const [{ id }, other] = [await answered(), await answered()];
  const up = { turnId: 'turn_0', rating: 'up' };
  const down = { turnId: 'turn_0', rating: 'down' };
  const use = (dimension: string, used: number) =>
    service.stored.sql(
      `UPDATE quotas SET used = ${used} WHERE scope LIKE 'ratings:${dimension}:%' RETURNING used`,
    );
  await rate(id, up);
  await use('session', ratingsPerHour.session);
  const refused = await rate(id, down);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 'QUOTA_EXCEEDED',
      error: expect.stringMatching(
        /^There were too many ratings in this conversation\. Try again in \d+ (s|min)\.$/,
      ),
    },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await kept(id)).toMatchObject([{ rating: 'up' }]);
  expect((await rate(other.id, up)).status).toBe(200);
  await use('address', ratingsPerHour.address);
  expect((await rate(other.id, down)).body.error).toMatch(/^There were too many ratings from this address\./);
  // The visitors of a tenant's own server all come from one address.
  expect((await rate(other.id, down, new Visitor(service.url, agent.secret.key))).status).toBe(200);
  await use('address', 0);
  const scopes = await service.stored.sql("SELECT scope FROM quotas WHERE scope LIKE 'ratings:%'");
  expect(JSON.stringify(scopes)).not.toContain(id);
});
