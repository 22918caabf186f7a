import { beforeAll, expect, test } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { said, type SharedService, sharedService, Visitor, VisitorSession } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

test('an anonymous conversation is handed over once, to a page of its agent, and to nobody once revoked', async () => {
  const agent = await service.agent([{ steps: [{ say: 'Heard {{input}}.' }] }]);
  const origin = 'https://shop.example';
  const { tenantId, agentId } = agent;
  const listed = await service.settings('POST', '/keys', {
    tenantId,
    agentId,
    kind: 'publishable',
    allowedOrigins: [origin],
  });
  const page = new Visitor(service.url, listed.body.key);
  const desk = await page.post('', { message: 'Hello' }, { origin });
  const at = `/${desk.body.sessionId}/transfer`;
  const own = { continuationToken: desk.body.continuationToken };
  const before = Date.now();
  const made = await page.post(at, own, { origin });
  expect(made.status).toBe(201);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const { token, expiresAt } = made.body;
  const madeAt = Date.parse(expiresAt) - 5 * 60_000;
  expect(madeAt >= before && madeAt <= Date.now()).toBe(true);

  const claim = (visitor: Visitor, from: string, given: string) =>
    visitor.post('/transfer', { token: given }, { origin: from });
  expect((await claim(page, 'https://elsewhere.example', token)).status).toBe(403);
  const other = await service.agent([{ steps: [{ say: 'No.' }] }]);
  expect((await other.visitor.post('/transfer', { token })).status).toBe(404);
  const claims = await Promise.all([1, 2].map(() => claim(page, origin, token)));
  expect(claims.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  const phone = claims.find(({ status }) => status === 200)!.body;
  expect(phone).toEqual({ ok: true, sessionId: desk.body.sessionId, ...own });
  const session = new VisitorSession(agent.visitor, phone.sessionId, phone.continuationToken);
  await session.send({ message: 'From the phone' });
  expect(said(await session.log(2))).toEqual(['Heard Hello.', 'Heard From the phone.']);

  const again = await page.post(at, own, { origin });
  const revoked = await request(`${page.base}${at}`, {
    method: 'DELETE',
    headers: { ...page.headers, origin },
    body: JSON.stringify(own),
  });
  expect(revoked.status).toBe(200);
  expect((await claim(page, origin, again.body.token)).status).toBe(404);
  await service.stored.sql("UPDATE quotas SET used = 30 WHERE scope LIKE 'links:session:%' RETURNING used");
  const many = await page.post(at, own, { origin });
  expect(many).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
  // What it takes is the session's own token, which nobody else has.
  expect((await page.post(at, { continuationToken: 'parley:none' }, { origin })).status).toBe(404);
});
