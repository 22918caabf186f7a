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
  process.kill(pid!, 'SIGTERM');

  const status = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
  await vi.waitUntil(async () => (await status('/readyz')) !== 200, { timeout: 60_000 });
  expect(await status('/readyz')).toBe(503);
  expect(await status('/healthz')).toBe(200);
  const refused = await fetch(`${url}/parley/v1/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenants[0].secretKey}` },
    body: JSON.stringify({ message: 'too late' }),
  });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ ok: false, code: 'UNAVAILABLE' });

  finishTools();
  expect(await exited).toBe(0);
  for (const { events } of readers)
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['turn.completed', 'session.waiting']);
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
  const before = reader!.events.length;
  expect(reader!.events.at(-1)?.type).toBe('message.appended');

  await service.start();
  await reader!.until((events) => events.length > before + 5);
  expect(reader!.events.slice(before, before + 4).map(({ type }) => type)).toEqual([
    'message.completed',
    'step.completed',
    'step.started',
    'message.appended',
  ]);
});
