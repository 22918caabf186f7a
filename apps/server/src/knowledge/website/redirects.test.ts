import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createEgress } from '../../egress/egress.ts';
import { checkPage } from '../../settings/page-check/check-page.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import { Extractor } from '../extract/extractor.ts';
import { proposeAgent } from './propose-agent.ts';

const signal = new AbortController().signal;
/** What must not be reached: an address of this machine that nobody has allowed. */
let reached = 0;
const inside = createServer((_, response) => {
  reached += 1;
  response.end('inside');
});
inside.listen(0, '127.0.0.1');
await once(inside, 'listening');
const { port: insidePort } = inside.address() as AddressInfo;

let pages: Record<string, { readonly location?: string; readonly body?: string }> = {};
const website = createServer(({ url = '' }, response) => {
  const { location, body } = pages[url] ?? {};
  if (location !== undefined) response.writeHead(302, { location }).end();
  else if (body === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': url.endsWith('.css') ? 'text/css' : 'text/html' }).end(body);
});
website.listen(0, '127.0.0.1');
await once(website, 'listening');
const host = `127.0.0.1:${(website.address() as AddressInfo).port}`;
const home = `http://${host}/`;

const egress = createEgress({
  allow: [host],
  // A public name that leads into a private network.
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
const extractor = new Extractor();
afterAll(async () => {
  await egress.close();
  await extractor.close();
  website.close();
  inside.close();
});
beforeEach(() => {
  pages = {};
  reached = 0;
});

const isPrivate = /not on the public internet/;
const targets: [string, RegExp][] = [
  ['http://10.0.0.1/', isPrivate],
  ['http://169.254.169.254/latest/meta-data/', isPrivate],
  ['http://127.0.0.1/', isPrivate],
  ['http://0x7f000001/', isPrivate],
  ['http://[::1]/', isPrivate],
  ['http://[::ffff:10.0.0.1]/', isPrivate],
  ['http://inside.example/', isPrivate],
  [`http://inside.example:${insidePort}/`, /not open/],
];

const agent: AgentRecord = {
  id: 'agent',
  tenantId: 'tenant',
  name: 'Ada',
  active: true,
  config: {},
  credentials: null,
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const propose = () => proposeAgent(home, { egress, extractor, caller: 'c', signal });
const check = () =>
  checkPage(home, {
    egress,
    embedsIn: async () => 'It was read.',
    findKey: async () => null,
    agent,
    ownOrigins: new Set(),
    caller: 'c',
    signal,
  });

test.each(targets)('a website that redirects to %s is not followed there', async (location, reason) => {
  pages = { '/': { location: '/next' }, '/next': { location } };
  const { problem } = await propose();
  expect(problem).toMatch(reason);
  // Nobody opens a private address since a website says so.
  expect(problem).not.toContain('EGRESS_ALLOW');
  expect((await check()).findings).toMatchObject([
    { code: 'unreadable', sentence: expect.stringMatching(reason) },
  ]);
  pages = { '/': { body: '<title>Shop</title>' }, '/robots.txt': { location } };
  expect((await propose()).problem).toMatch(reason);
  pages = {
    '/': {
      body: '<title>Shop</title><link rel="stylesheet" href="/a.css"><link rel="manifest" href="/m.json"><p>Lamps</p>',
    },
    '/a.css': { location },
    '/m.json': { location },
  };
  expect(await propose()).toMatchObject({ name: 'Shop', problem: null });
  expect(reached).toBe(0);
});
