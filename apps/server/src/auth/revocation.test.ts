import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { provision, testService, type TestService } from '../testing/test-service.ts';

const path = '/parley/v1/session';

/** A session with its first turn behind it, and what a follower of it will have read once its stream ends. */
async function followed(service: TestService) {
  const bound = await provision(service);
  const key = (await service.settings('POST', '/keys', { ...bound, kind: 'publishable' })).body;
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ message: 'Hello' });
  const { sessionId } = (await service.call(path, { method: 'POST', headers, body })).body;
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test follows the stream from outside
  const stream = await fetch(`${service.url}${path}/${sessionId}/stream`, { headers });
  let text = '';
  let answered = (): void => {};
  const waiting = new Promise<void>((resolve) => (answered = resolve));
  const rest = (async () => {
    for await (const chunk of stream.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('session.waiting')) answered();
    }
    return text;
  })();
  await waiting;
  const read = () => service.call(`${path}/${sessionId}/stream`, { headers });
  return { ...bound, key, rest, read };
}

test.each([
  ['its key is deleted', 'DELETE', 'keys', ''],
  ['its key is regenerated', 'POST', 'keys', '/regenerate'],
  ['its tenant is deleted', 'DELETE', 'tenants', ''],
])('an open stream ends when %s', async (_when, method, kind, suffix) => {
  const service = await testService();
  const { key, tenantId, rest, read } = await followed(service);
  await service.settings(method, `/${kind}/${kind === 'keys' ? key.id : tenantId}${suffix}`);
  expect(await rest).not.toContain('session.completed');
  expect((await read()).status).toBe(401);
});

test('the sessions of a deleted agent are completed before their streams end', async () => {
  const service = await testService();
  const { agentId, rest } = await followed(service);
  expect((await service.settings('DELETE', `/agents/${agentId}`)).status).toBe(204);
  expect(await rest).toContain('session.completed');
});

test('what arrives while its tenant is deleted leaves nothing behind', async () => {
  const service = await testService();
  const bound = await provision(service);
  const { key } = (await service.settings('POST', '/keys', { ...bound, kind: 'secret' })).body;
  const body = JSON.stringify({ message: 'late' });
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${key}`,
    `content-length: ${body.length}`,
    'expect: 100-continue',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  // The service has looked at the key by the time it asks for the body.
  await once(socket, 'data');
  // It comes without the body where the removal takes longer than a body may.
  const answer = once(socket, 'data');
  expect((await service.settings('DELETE', `/tenants/${bound.tenantId}`)).status).toBe(204);
  socket.write(body);
  await answer;
  await expect.poll(() => service.stored.sql('SELECT id FROM sessions')).toEqual([]);
});
