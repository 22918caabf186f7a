import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, test, vi } from 'vitest';
import { openBusyService } from './busy-service.ts';
import { followSession, type Reader } from './reader.ts';
import { send } from './sender.ts';

/** Turns that have begun to speak, each in a session of its own. */
async function speaking(busy: Awaited<ReturnType<typeof openBusyService>>, words: string, count: number) {
  const { service, operations, tenants } = busy;
  const [tenant] = tenants;
  const readers: Reader[] = [];
  for (let number = 0; number < count; number += 1) {
    const text = `${words} ${tenant.canary}-${number}`;
    const { sessionId } = await send<{ sessionId: string }>(service, tenant, operations, {
      interface: 'sessions',
      path: '/parley/v1/session',
      body: { message: text },
      text,
    });
    readers.push(followSession(service, tenant, sessionId));
  }
  for (const reader of readers) {
    onTestFinished(() => reader.stop());
    await reader.until((events) => events.some(({ type }) => type === 'message.appended'));
  }
  return readers;
}

/** Connections that the process has while it serves: 2 s after it was told to stop it takes no other. */
async function openConnections(url: string, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** The answer to the only request of a connection. */
async function answered(socket: Socket, head: string, body = '') {
  socket.write(`${head}\r\nhost: x\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  const [lines = '', json = ''] = (await text(socket)).split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+) /.exec(lines)?.[1]),
    retryAfter: Number(/^retry-after: (\d+)/im.exec(lines)?.[1]),
    body: JSON.parse(json) as unknown,
  };
}

vi.setConfig({ testTimeout: 120_000 });

test.concurrent('told to stop, it finishes what runs, refuses the rest, ends its streams and exits with 0', async ({
  expect,
  onTestFinished,
}) => {
  const busy = await openBusyService();
  onTestFinished(busy.close);
  const { service, tenants } = busy;
  const finishTools = busy.holdTools();
  const readers = await speaking(busy, 'while', 5);
  const { url, pid, exited } = await service.current();
  const [first, second, third] = await openConnections(url, 3);
  process.kill(pid!, 'SIGTERM');

  const status = (path: string) =>
    fetch(url + path).then(
      (response) => response.status,
      () => 'nobody there',
    );
  await vi.waitUntil(async () => (await status('/readyz')) !== 200, { timeout: 60_000 });
  expect((await answered(first!, 'GET /readyz HTTP/1.1')).status).toBe(503);
  expect((await answered(second!, 'GET /healthz HTTP/1.1')).status).toBe(200);
  const refused = await answered(
    third!,
    `POST /parley/v1/session HTTP/1.1\r\nauthorization: Bearer ${tenants[0].secretKey}`,
    JSON.stringify({ message: 'too late' }),
  );
  expect(refused.status).toBe(503);
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect(refused.body).toMatchObject({ ok: false, code: 'UNAVAILABLE' });

  finishTools();
  expect(await exited).toBe(0);
  for (const reader of readers) {
    // What the process has sent may be read after it is gone.
    await reader.until((events) => events.at(-1)?.type === 'session.waiting');
    expect(reader.events.map(({ type }) => type).slice(-2)).toEqual(['turn.completed', 'session.waiting']);
  }
  await service.start();
  expect(await busy.violations()).toEqual([]);
});

test.concurrent('a turn that takes longer than it may is finished by the next process', async ({
  expect,
  onTestFinished,
}) => {
  const busy = await openBusyService();
  onTestFinished(busy.close);
  const { service } = busy;
  const [reader] = await speaking(busy, 'for a minute', 1);
  const { pid, exited } = await service.current();
  process.kill(pid!, 'SIGTERM');
  expect(await exited).toBe(0);
  // What the process has sent may be read after it is gone.
  const stored = storedTypes(service.directory, reader!.session);
  const before = stored.length;
  expect(stored.at(-1)).toBe('message.appended');

  await service.start();
  await reader!.until((events) => events.length > before + 5);
  expect(reader!.events.slice(before, before + 4).map(({ type }) => type)).toEqual([
    'message.completed',
    'step.completed',
    'step.started',
    'message.appended',
  ]);
});

/** What the log holds while no process runs. */
function storedTypes(directory: string, session: string): string[] {
  using database = new DatabaseSync(join(directory, 'parley.db'), { readOnly: true });
  const events = database.prepare(`
    SELECT type FROM events JOIN sessions ON sessions.key = events.session WHERE sessions.id = ? ORDER BY idx`);
  return events.all(session).map(({ type }) => String(type));
}
