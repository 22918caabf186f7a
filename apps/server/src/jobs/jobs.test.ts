import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { Knowledge } from '../knowledge/knowledge.ts';
import { createLogger } from '../logger.ts';
import type { Sessions } from '../session/sessions.ts';
import { localEvents } from '../testing/local-events.ts';
import { testStore } from '../testing/test-store.ts';
import { provision, type TestService, testService } from '../testing/test-service.ts';
import { startJobs } from './jobs.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A website of one page, and how often it was read. */
async function openWebsite() {
  const website = { host: '', readings: 0 };
  const server = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    website.readings += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title><p>We sell lamps.</p>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  website.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return website;
}

test('a website is read again by itself within minutes after a day, and not before', async () => {
  const website = await openWebsite();
  const environment = { EGRESS_ALLOW: website.host };
  const before = await testService(environment);
  const { agentId } = await provision(before);
  const source = { agentId, kind: 'website', name: 'Shop', url: `http://${website.host}/`, maxPages: 1 };
  const { id } = (await before.settings('POST', '/sources', source)).body;
  const reading = async (service: TestService) =>
    (await service.settings('GET', `/sources/${id}`)).body.reading;
  await expect.poll(() => reading(before)).toMatchObject({ status: 'read' });
  const readAt = Date.parse((await reading(before)).readAt);
  await before.stop();
  expect(website.readings).toBe(1);

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: readAt });
  const readDue = vi.spyOn(Knowledge.prototype, 'readDue');
  const service = await testService(environment, { stored: before.stored });
  // It stops on real time.
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => void vi.restoreAllMocks());
  /** Resolves when it has looked so often for what is due. */
  const looked = (times: number) =>
    vi.waitFor(
      () =>
        expect(readDue.mock.settledResults.map(({ type }) => type)).toEqual(Array(times).fill('fulfilled')),
      30_000,
    );
  await looked(1);
  vi.advanceTimersByTime(5 * minute);
  await looked(2);
  expect(website.readings).toBe(1);

  vi.setSystemTime(readAt + day);
  vi.advanceTimersByTime(5 * minute);
  // A poll moves the clock on.
  const readAgainAt = async () => Date.parse((await reading(service)).readAt);
  await expect.poll(readAgainAt).toBeGreaterThanOrEqual(readAt + day);
  expect(await reading(service)).toMatchObject({ status: 'read' });
  expect(website.readings).toBe(2);
});

test('what retention says is done within minutes of a start, and not at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stored = await testStore();
  const store = await stored.open();
  onTestFinished(() => store.close());
  // It is asked for as a sweep begins. What comes later waits for a database, whose time to answer runs by the same clock.
  const listed = vi.spyOn(store.settings.agents, 'list');
  const { bus } = localEvents(store);
  const nothing = async () => undefined;
  const stop = startJobs({
    store,
    secrets: createSecrets(['s'.repeat(48)]),
    sessions: {} as Sessions,
    signIns: { forget: nothing, forgetVisitor: async () => 0 },
    contacts: { erase: async () => false },
    messages: { work: nothing },
    knowledge: { readDue: nothing, embedDue: nothing },
    bus,
    logger: createLogger('silent'),
  });
  onTestFinished(stop);
  vi.advanceTimersByTime(minute - 1);
  expect(listed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(minute + 1);
  expect(listed).toHaveBeenCalledTimes(1);
});
