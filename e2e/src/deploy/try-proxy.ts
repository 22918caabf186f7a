import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readChunks, readLines } from '@parley/client/ndjson';
import type { SessionEvent } from '@parley/protocol/event';
import { readLogs } from '../chaos/read-logs.ts';
import { type Tenant, createTenant, tools } from '../crash/tenant.ts';
import { type ToolSink, openToolSink } from '../crash/tool-sink.ts';
import { type Visitor, kinds, visit } from '../crash/visitor.ts';
import { wrongAnswers } from '../crash/wrong-answers.ts';
import { checkHistory } from '../log-checker.ts';
import type { Operation } from '../log-checker/history.ts';
import { openPostgresDatabase } from '../postgres-database.ts';
import { type RunningServer, createAgent, startServer } from '../server.ts';
import { issueCertificate } from './local-authority.ts';
import { freePort } from '../free-port.ts';
import { type Proxy, type runNginx } from './run-proxy.ts';

const uploadBytes = 16 * 1_024 * 1_024;
const visitors = 18;
const reloads = 8;
const betweenReloadsMs = 1_500;
const maxHeldMs = 20_000;
const maxIdleMs = 30_000;

/** A proxy with TLS in front of two processes: reloads under visitors, streams, and an upload. */
export async function tryProxy(run: typeof runNginx): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-proxy-'));
  const certificate = issueCertificate(folder);
  const database = await openPostgresDatabase();
  const sink = await openToolSink();
  const port = await freePort();
  const start = () =>
    startServer({
      environment: {
        DATABASE_URL: database.url,
        SECRET_KEY_BASE: 's'.repeat(48),
        PUBLIC_URL: `https://localhost:${port}`,
        TRUST_PROXY: '1',
        EGRESS_ALLOW: sink.address,
      },
    });
  const servers = await Promise.all([start(), start()]);
  const [first, second] = servers.map(({ url }) => new URL(url).host);
  const proxy = await run({ folder, certificate, port, processes: [first!, second!] });
  try {
    await reachable(proxy);
    const tenants = [
      await createTenant(servers[0]!, sink, 'heron'),
      await createTenant(servers[0]!, sink, 'magpie'),
    ] as const;
    const { operations, readers } = await reloadUnderVisitors(proxy, servers[0]!, tenants);
    const history = {
      operations,
      connections: readers.flatMap((reader) => reader.connections),
      logs: await readLogs(database, { current: async () => servers[0]! }, tenants),
      deliveries: sink.deliveries,
      tools,
      canaries: Object.fromEntries(tenants.map(({ tenantId, canary }) => [tenantId, canary])),
    };
    const violations = [...checkHistory(history), ...wrongAnswers(history)];
    const repeated = operations.filter(({ outcome }) => outcome !== 'ok').length;
    console.log(
      `  ${reloads} reloads under ${visitors} visitors: ${operations.length} requests, ${repeated} had to be repeated; ` +
        `${readers.length} streams over ${history.connections.length} connections; ${violations.length} violations`,
    );
    for (const { invariant, detail } of violations) console.log(`    ${invariant}: ${detail}`);
    if (violations.length > 0) throw new Error(`Something was lost.\n${proxy.log()}`);
    await streams(proxy, tenants[0], sink);
    await uploads(proxy, servers[0]!);
    await Promise.all(servers.map((server) => server.kill()));
    await hidesPaths(proxy);
  } finally {
    await proxy.stop();
    await Promise.all(servers.map((server) => server.kill()));
    sink.close();
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

async function reachable(proxy: Proxy): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    try {
      const response = await fetch(`${proxy.url}/readyz`);
      if (response.ok) return;
      throw new Error(`${response.status} ${await response.text()}`);
    } catch (error) {
      if (tried === 50) throw new Error(`There is no way through: ${proxy.log()}`, { cause: error });
      await setTimeout(100);
    }
  }
}

/** The tool answers only when the words before its call were read, so that a proxy which holds them back stops the turn. */
async function streams({ url }: Proxy, tenant: Tenant, sink: ToolSink): Promise<void> {
  const release = sink.hold();
  try {
    const response = await fetch(`${url}/parley/v1/session`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.secretKey}`,
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
      },
      body: JSON.stringify({ message: `safe ${tenant.canary}` }),
      signal: AbortSignal.timeout(maxHeldMs),
    });
    if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
    let said = '';
    for await (const line of readLines(readChunks(response.body))) {
      const event = line === '' ? null : (JSON.parse(line) as SessionEvent);
      if (event?.type === 'message.appended') said += event.data.messageDelta;
      if (said === 'Looking. ') release();
      if (event?.type === 'session.waiting') break;
    }
    if (!said.includes('Found')) throw new Error(`The reply ended with: ${said}`);
    console.log('  what is said before a tool is called is read before the tool answers');
  } catch (error) {
    throw new Error('What is said is held back.', { cause: error });
  } finally {
    release();
  }
}

async function uploads({ url }: Proxy, server: RunningServer): Promise<void> {
  const { agentId } = await createAgent(server, []);
  const page = `<title>Hours</title><p>We are open from nine to six.</p><!--${'x'.repeat(uploadBytes)}-->`;
  const query = new URLSearchParams({ agentId, filename: 'hours.html' });
  const begun = performance.now();
  const response = await fetch(`${url}/api/v1/settings/source-files?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'text/html' },
    body: page,
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The upload was answered ${response.status}: ${answer.slice(0, 500)}`);
  const megabytes = (page.length / 2 ** 20).toFixed(1);
  console.log(`  an upload of ${megabytes} MiB is taken in ${Math.round(performance.now() - begun)} ms`);
}

/** Of a request that cannot be passed on as well. */
async function hidesPaths(proxy: Proxy): Promise<void> {
  const { status } = await fetch(`${proxy.url}/parley/v1/session/session_of_somebody`);
  if (status < 502) throw new Error(`Without a service the answer is ${status}.`);
  await proxy.stop();
  if (!proxy.log().includes(String(status))) throw new Error(`The log does not say so.\n${proxy.log()}`);
  const path = /\S*\/parley\/v1\S*/.exec(proxy.log())?.[0];
  if (path !== undefined) throw new Error(`The log has a path: ${path}`);
  console.log('  no path is in its log, also none of what it could not pass on');
}

async function reloadUnderVisitors(proxy: Proxy, server: RunningServer, tenants: readonly [Tenant, Tenant]) {
  const operations: Operation[] = [];
  const service = { current: async () => ({ ...server, url: proxy.url }) };
  const talking: Visitor[] = Array.from({ length: visitors }, (_, number) =>
    visit(
      { service, tenant: tenants[number % 2]!, operations, pause: () => setTimeout(50) },
      kinds[number % kinds.length]!,
      number,
    ),
  );
  for (let reload = 0; reload < reloads; reload += 1) {
    await setTimeout(betweenReloadsMs);
    proxy.reload();
  }
  for (const visitor of talking) visitor.stop();
  const idle = await Promise.race([
    Promise.all(talking.map((visitor) => visitor.idle)),
    setTimeout(maxIdleMs, null, { ref: false }),
  ]);
  if (!idle) throw new Error(`Visitors still wait for an answer after ${maxIdleMs / 1_000} s.`);
  const readers = talking.flatMap(({ reader }) => (reader ? [reader] : []));
  for (const reader of readers) reader.stop();
  return { operations, readers };
}
