import { expect, test } from 'vitest';
import { type Answer, request, testService } from '../../testing/test-service.ts';
import { Visitor, type VisitorSession } from '../../testing/visitor.ts';
import { as, identitySecret } from '../../testing/visitor-token.ts';

const script = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 5000, delayMs: 20 }] },
  { when: 'go', steps: [{ call: 'go_to', input: { page: '{{input}}' } }, { say: 'There.' }] },
  { steps: [{ say: 'Heard {{input}}' }] },
];

async function firm() {
  const service = await testService();
  const created = async (path: string, body: unknown) => (await service.settings('POST', path, body)).body;
  const { id: tenantId } = await created('/tenants', { name: 'Firm' });
  const model = { provider: 'scripted', script };
  const identity = { secret: identitySecret };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model, identity });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const visitor = new Visitor(service.url, key);
  return { service, tenantId, agentId, visitor, found: service.stored.count };
}

const remove = (
  { visitor, id, token }: VisitorSession,
  change: { id?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  request(`${visitor.base}/${change.id ?? id}`, {
    method: 'DELETE',
    headers: { ...visitor.headers, ...change.headers },
    body: JSON.stringify(change.body ?? { continuationToken: token }),
  });

test('of a deleted session nothing is left: not in any answer, and not in the files', async () => {
  const { service, tenantId, agentId, visitor, found } = await firm();
  const clientTools = [{ name: 'go_to', description: 'heron-tool', parameters: { type: 'object' } }];
  const mine = await as(agentId, 'heron-visitor');
  const text = { type: 'text', text: 'go: heron-message' };
  const file = { type: 'file', mediaType: 'text/plain', filename: 'heron.txt', data: btoa('heron-file') };
  const started = await visitor.post(
    '',
    { message: [text, file], clientTools, clientContext: 'heron-context' },
    { ...mine, 'idempotency-key': 'heron-key-of-this-test' },
  );
  const { sessionId: id, continuationToken } = started.body;
  const get = (path: string) =>
    request(`${visitor.base}${path}`, { headers: { ...visitor.headers, ...mine } });
  await expect.poll(async () => (await get(`/${id}/transcript`)).body).toContain('heron');
  await visitor.post(`/${id}/feedback`, { turnId: 'turn_0', rating: 'down', comment: 'heron-comment' }, mine);
  await visitor.post(`/${id}`, { continuationToken, message: 'heron-follow-up' }, mine);
  const other = await visitor.start('magpie');
  await other.log(1);
  expect(await found('heron')).toBeGreaterThan(0);

  const deleted = await request(`${visitor.base}/${id}`, {
    method: 'DELETE',
    headers: { ...visitor.headers, ...mine },
    body: JSON.stringify({ continuationToken }),
  });
  expect(deleted).toMatchObject({ status: 200, body: { ok: true, sessionId: id, status: 'deleted' } });
  const ofTheSession = ['message', 'file', 'tool', 'context', 'key', 'comment', 'follow-up'];
  for (const what of [...ofTheSession.map((word) => `heron-${word}`), id])
    await expect.poll(() => found(what), { message: what }).toBe(0);
  // Who the visitor is outlives their conversation, until the firm erases them.
  const { items } = (await service.settings('GET', `/contacts?tenantId=${tenantId}`)).body;
  await service.settings('POST', `/contacts/${items[0].id}/erase`);
  await expect.poll(() => found('heron')).toBe(0);
  expect(await found('magpie')).toBeGreaterThan(0);

  for (const path of [`/${id}/stream`, `/${id}/transcript`])
    expect(await get(path)).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  const message = await visitor.post(`/${id}`, { continuationToken, message: 'x' }, mine);
  expect(message).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_RESUMABLE' } });
  expect((await get('')).body.items).toEqual([]);
  const feedback = await service.settings('GET', `/feedback?agentId=${agentId}`);
  expect(feedback.body.items).toEqual([]);
  expect((await other.send({ message: 'still here' })).status).toBe(200);
});

test('what runs is cancelled, and every open stream ends', async () => {
  const { visitor, found } = await firm();
  const session = await visitor.start('slow');
  await session.send({ message: 'waits for its turn' });
  const readers = await Promise.all([session.follow(), session.follow('?soFar=0')]);
  for (const reader of readers)
    await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  expect((await remove(session)).status).toBe(200);
  for (const reader of readers) {
    const types = (await reader.rest()).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['turn.cancelled', 'session.waiting', 'session.completed']);
  }
  await expect.poll(() => found('waits for its turn')).toBe(0);
});

test('an idle session’s streams end too', async () => {
  const { visitor } = await firm();
  const session = await visitor.start('Hello');
  await session.log(1);
  const reader = await session.follow();
  await reader.boundaries(1);
  expect((await remove(session)).status).toBe(200);
  expect((await reader.rest()).at(-1)?.type).toBe('session.completed');
});

test('a session that is over can be deleted, once', async () => {
  const { visitor } = await firm();
  const session = await visitor.start('Hello');
  await session.log(1);
  await session.control(`${session.id}/end`);
  expect((await remove(session)).status).toBe(200);
  expect(await remove(session)).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
});

test('only who holds the token deletes, and only the session it is for', async () => {
  const { agentId, visitor } = await firm();
  const session = await visitor.start('Hello');
  const other = await visitor.start('Other');
  const wrong: { id?: string; body?: unknown }[] = [
    { body: { continuationToken: other.token } },
    { id: other.id },
    { body: { continuationToken: `parley:${session.id}.AAAA` } },
    { id: `ses_${'0'.repeat(32)}` },
  ];
  const answers = await Promise.all(wrong.map((change) => remove(session, change)));
  for (const { status, body } of answers)
    expect({ status, ...body, requestId: '' }).toEqual({
      status: 404,
      ok: false,
      error: 'Session not found.',
      code: 'SESSION_NOT_FOUND',
      requestId: '',
    });
  expect((await remove(session, { body: {} })).status).toBe(400);
  expect((await remove(session, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  await session.send({ message: 'mine' }, await as(agentId, 'ada'));
  expect((await remove(session)).status).toBe(404);
  expect((await remove(session, { headers: await as(agentId, 'eve') })).status).toBe(404);
  expect((await remove(session, { headers: await as(agentId, 'ada') })).status).toBe(200);
  expect((await other.send({ message: 'still here' })).status).toBe(200);
});

test('the token of one tenant deletes nothing under the key of another', async () => {
  const { service, visitor } = await firm();
  const session = await visitor.start('Hello');
  const { id: tenantId } = (await service.settings('POST', '/tenants', { name: 'Other' })).body;
  const model = { provider: 'scripted', script };
  const { id: agentId } = (await service.settings('POST', '/agents', { tenantId, name: 'B', model })).body;
  const { key } = (await service.settings('POST', '/keys', { tenantId, agentId, kind: 'secret' })).body;
  const foreign = await remove(session, { headers: { authorization: `Bearer ${key}` } });
  expect(foreign).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  expect((await session.send({ message: 'still here' })).status).toBe(200);
});

test('a page may delete: the preflight grants the method and the visitor’s header', async () => {
  const { service } = await firm();
  const key = await service.settings('GET', '/keys');
  await service.settings('PATCH', `/keys/${key.body.items[0].id}`, {
    allowedOrigins: ['https://shop.example'],
  });
  const preflight = await request(`${service.url}/parley/v1/session/ses_1`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'DELETE' },
  });
  expect(preflight.headers.get('access-control-allow-methods')).toBe('DELETE, POST');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-parley-visitor-token');
});
