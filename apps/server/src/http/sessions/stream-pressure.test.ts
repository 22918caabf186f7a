import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import express, { type Response } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../logger.ts';
import { createSecrets } from '../../crypto/secrets.ts';
import { localEvents } from '../../testing/local-events.ts';
import { createSessionTokens } from '../../session/session-token.ts';
import { delta, opened } from '../../store/contract/samples.ts';
import { notifyWrites } from '../../settings/notify-writes.ts';
import { SettingsCache } from '../../settings/settings-cache.ts';
import { testStore } from '../../testing/test-store.ts';
import type { KeyRecord } from '../../store/settings-store.ts';
import { ToolRegistry } from '../../tool/registry.ts';
import { Heartbeat } from '../connection/heartbeat.ts';
import { OpenReaders } from '../connection/open-readers.ts';
import { SessionStreams } from './session-streams.ts';

const key: KeyRecord = {
  id: 'key_1',
  tenantId: 'tenant_1',
  agentId: null,
  kind: 'publishable',
  label: null,
  publicKey: null,
  last4: '1234',
  digest: '',
  allowedOrigins: [],
  allowMissingOrigin: true,
  turnsPerMinute: null,
  lastUsedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** One stream of a session, its server side, and a client that reads nothing until told to. */
async function stream() {
  const store = await (await testStore()).open();
  const { tenantId: id, createdAt } = key;
  await store.settings.tenants.insert({ id, name: 'Tenant', createdAt });
  await store.settings.keys.insert(key);
  const lease = await opened(store);
  const { bus, live } = localEvents(store);
  const heartbeat = new Heartbeat();
  const secrets = createSecrets(['s'.repeat(40)]);
  const tokens = createSessionTokens('parley', secrets);
  const logger = createLogger('silent');
  const toolRegistry = new ToolRegistry([], logger);
  const settings = new SettingsCache(store.settings, { toolRegistry, secrets }, bus, logger);
  const readers = new OpenReaders({ store, settings, bus, logger });
  const streams = new SessionStreams({
    store,
    live,
    tokens,
    heartbeat,
    readers,
    logger,
    platform: 'parley',
    fileUrl: (id) => id,
  });
  const session = await store.getSession(lease.sessionId);
  const query = { startIndex: 0, includeTailIndex: false, soFar: false };
  const begun = Promise.withResolvers<Response>();
  const server = express()
    .get('/', (_request, response) => {
      streams.open(response, { session: session!, key, visitor: null, visitorUntil: null, query });
      begun.resolve(response);
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  onTestFinished(async () => {
    socket.destroy();
    server.close();
    heartbeat.stop();
    await store.close();
  });
  return {
    /** As the settings API writes them. */
    settings: notifyWrites(store.settings, bus),
    socket,
    response: await begun.promise,
    assign: (visitor: string) => store.assignVisitor(lease.sessionId, visitor),
    /** Events of which only the log knows. */
    appendUnheard: async (texts: string[]) => {
      await store.commit(lease, { events: texts.map(delta) });
      live.publish(lease.sessionId, []);
    },
    /** `meanwhile` happens between the commit and the news of it. */
    append: async (texts: string[], meanwhile = async () => {}) => {
      const events = texts.map(delta);
      const { firstIndex } = await store.commit(lease, { events });
      await meanwhile();
      live.publish(
        lease.sessionId,
        events.map((event, offset) => ({ ...event, index: firstIndex + offset })),
      );
    },
  };
}

const large = 50_000;
const text = (index: number): string => `<${index}>`.padEnd(large, 'x');

test('what waits for a reader that does not read is bounded, and it misses nothing', async () => {
  const { socket, response, append } = await stream();
  let most = 0;
  for (let index = 0; index < 400; index += 4) {
    await append([text(index), text(index + 1), text(index + 2), text(index + 3)]);
    most = Math.max(most, response.writableLength);
  }
  expect(response.writableNeedDrain).toBe(true);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    most = Math.max(most, response.writableLength);
  });
  socket.resume();
  while (!Buffer.concat(chunks.slice(-20)).includes('<399>')) await once(socket, 'data');
  const seen = [
    ...Buffer.concat(chunks)
      .toString()
      .matchAll(/<(\d+)>/g),
  ].map(([, index]) => Number(index));
  expect(seen).toEqual(Array.from({ length: 400 }, (_, index) => index));
  expect(most).toBeLessThan(256 * 1024 + 2 * large);
});

test('what comes after its key was revoked never reaches a reader, and harms nobody', async () => {
  const { settings, socket, response, append } = await stream();
  await append(['<0>']);
  await append(['<1>'], async () => {
    await settings.keys.remove(key.id);
    await expect.poll(() => response.writableEnded || response.destroyed).toBe(true);
  });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.resume();
  if (!response.closed) await once(response, 'close');
  expect(Buffer.concat(chunks).toString()).not.toContain('<1>');
});

test('a reader that has to read the log is sent nothing of a session that became a visitor’s unheard', async () => {
  const { socket, response, append, appendUnheard, assign } = await stream();
  await append(['<0>']);
  await assign('ada');
  await appendUnheard(['<1>']);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.resume();
  if (!response.closed) await once(response, 'close');
  expect(Buffer.concat(chunks).toString()).not.toContain('<1>');
});

test('a quiet stream sends a blank line every 5 s, and nothing on top of what its reader has not taken', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { socket, response, append } = await stream();
  const written = () => response.socket!.bytesWritten;
  while (written() === 0) await setImmediate();
  const before = written();
  for (let beat = 0; beat < 12; beat += 1) {
    vi.advanceTimersByTime(5_000);
    await setImmediate();
  }
  expect(written() - before).toBe(12 * '1\r\n\n\r\n'.length);
  while (!response.writableNeedDrain) await append([text(0), text(1), text(2), text(3)]);
  const full = response.writableLength;
  vi.advanceTimersByTime(60_000);
  expect(response.writableLength).toBe(full);
  socket.resume();
});
