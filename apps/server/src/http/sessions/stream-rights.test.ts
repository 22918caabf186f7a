import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { startService } from '../../service.ts';
import { testStore } from '../../testing/test-store.ts';
import { type Answer, request } from '../../testing/test-service.ts';
import { as, identitySecret, visitorToken, visitorTokenHeader } from '../../testing/visitor-token.ts';
import { Reader, Visitor, type VisitorSession, said, sharedService } from '../../testing/visitor.ts';

const service = await sharedService();
const script = [{ steps: [{ say: '{{input}}' }] }];
const identified = { agent: { identity: { secret: identitySecret } } };

/** An open stream of a session, under these headers besides those of the key. */
async function follow(visitor: Visitor, id: string, headers: Record<string, string> = {}): Promise<Reader> {
  const controller = new AbortController();
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test follows the stream from outside
  const response = await fetch(`${visitor.base}/${id}/stream`, {
    headers: { ...visitor.headers, ...headers },
    signal: controller.signal,
  });
  return new Reader(response, controller);
}

test('a visitor’s takeover ends the streams of everybody but the visitor and secret keys', async () => {
  const agent = await service.agent(script, identified);
  const ada = await as(agent.agentId, 'ada');
  const session = await agent.visitor.start('anonymous');
  const others = [
    await follow(agent.visitor, session.id),
    await follow(agent.visitor, session.id, await as(agent.agentId, 'eve')),
  ];
  const own = await follow(agent.visitor, session.id, ada);
  const server = await follow(new Visitor(service.url, agent.secret.key), session.id);
  for (const reader of [...others, own, server]) await reader.boundaries(1);
  expect((await session.send({ message: 'private' }, ada)).status).toBe(200);
  for (const reader of others) {
    await reader.rest();
    expect(reader.text).not.toContain('private');
  }
  for (const reader of [own, server]) {
    await reader.boundaries(2);
    expect(reader.text).toContain('private');
    reader.close();
  }
});

test('a visitor’s streams end when their token expires, and open again with a fresh one only', async () => {
  const agent = await service.agent(script, identified);
  const token = await visitorToken(agent.agentId, { expiresIn: 4 });
  const session = await agent.visitor.start('Hello');
  const stream = await follow(agent.visitor, session.id, { [visitorTokenHeader]: token });
  const server = await follow(new Visitor(service.url, agent.secret.key), session.id, {
    [visitorTokenHeader]: token,
  });
  await stream.rest();
  expect(stream.events.at(-1)?.type).toBe('session.waiting');
  const again = await request(`${agent.visitor.base}/${session.id}/stream`, {
    headers: { ...agent.visitor.headers, [visitorTokenHeader]: token },
  });
  expect(again).toMatchObject({ status: 401, body: { code: 'VISITOR_TOKEN_INVALID' } });
  const fresh = await follow(agent.visitor, session.id, await as(agent.agentId, 'ada'));
  await session.send({ message: 'next' });
  for (const reader of [fresh, server]) {
    await reader.boundaries(2);
    reader.close();
  }
});

/** A service whose next reading of a session or an agent is held up until the test lets it go on. */
async function heldService() {
  const stored = await testStore(afterAll);
  const store = await stored.open();
  let hold: { reached: () => void; go: Promise<void> } | null = null;
  const session: typeof store.getSession = async (id) => {
    const found = await store.getSession(id);
    const held = hold;
    hold = null;
    held?.reached();
    await held?.go;
    return found;
  };
  const config = readConfig({
    ...stored.environment,
    PORT: '0',
    SECRET_KEY_BASE: 's'.repeat(48),
    ADMIN_TOKEN: 'a'.repeat(48),
  });
  const running = await startService(config, createLogger('fatal'), {
    store: { ...store, getSession: session },
  });
  afterAll(() => running.stop());
  const settings = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    request(`${running.url}/api/v1/settings${path}`, {
      method,
      headers: { authorization: `Bearer ${config.adminToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const { id: tenantId } = (await settings('POST', '/tenants', { name: 'Tenant' })).body;
  const model = { provider: 'scripted', script };
  const agent = { tenantId, name: 'Ada', model, ...identified.agent };
  const { id: agentId } = (await settings('POST', '/agents', agent)).body;
  const key = (await settings('POST', '/keys', { tenantId, agentId, kind: 'publishable' })).body;
  const holdNext = () => {
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    hold = { reached: reached.resolve, go: go.promise };
    return { reached: reached.promise, go: go.resolve };
  };
  return { settings, agentId, key, visitor: new Visitor(running.url, key.key), holdNext };
}

test('a stream that was let in before a takeover and opened after it shows nothing', async () => {
  const { visitor, agentId, holdNext } = await heldService();
  const session = await visitor.start('anonymous');
  await session.log(1);
  const { reached, go } = holdNext();
  const opening = follow(visitor, session.id);
  await reached;
  expect((await session.send({ message: 'private' }, await as(agentId, 'ada'))).status).toBe(200);
  go();
  const late = await opening;
  await late.rest();
  expect(late.events).toEqual([]);
});

test('a message and a control that were let in before a takeover and come to the log after it are rejected', async () => {
  const { visitor, agentId, holdNext } = await heldService();
  const ada = await as(agentId, 'ada');
  const late = [
    (session: VisitorSession) => session.send({ message: 'late' }),
    (session: VisitorSession) => session.control('clear'),
  ];
  for (const send of late) {
    const session = await visitor.start('anonymous');
    await session.log(1);
    const { reached, go } = holdNext();
    const sent = send(session);
    await reached;
    expect((await session.send({ message: 'private' }, ada)).status).toBe(200);
    go();
    expect((await sent).body).not.toMatchObject({ sessionId: session.id });
    const log = await follow(visitor, session.id, ada);
    await log.boundaries(2);
    expect((await session.send({ message: 'next' }, ada)).status).toBe(200);
    await log.boundaries(3);
    expect(said(log.events)).toEqual(['anonymous', 'private', 'next']);
    expect(log.events.map(({ type }) => type)).not.toContain('context.cleared');
    log.close();
  }
});

test('a stream that was let in before its key was revoked and opened after it shows nothing', async () => {
  const { settings, key, visitor, holdNext } = await heldService();
  const session = await visitor.start('anonymous');
  await session.log(1);
  const { reached, go } = holdNext();
  const opening = follow(visitor, session.id);
  await reached;
  expect((await settings('POST', `/keys/${key.id}/regenerate`)).status).toBe(200);
  go();
  const late = await opening;
  await late.rest();
  expect(late.events).toEqual([]);
});
