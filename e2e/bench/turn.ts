import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createAgent, startServer } from '../src/server.ts';
import { createChatKeys } from './chat-keys.ts';
import { callJson, open, readLines, readUntil } from './http-client.ts';
import { cpuMs } from './process-cost.ts';
import { inParallel, percentile, row } from './statistics.ts';

const turns = 1_000;
const rounds = 5;
const script = [{ steps: [{ say: 'word ', repeat: 50 }] }];

interface Created {
  readonly sessionId: string;
}

/** A turn on the real server, beside an Express route that does nothing, in one run. */
export async function benchTurn(): Promise<void> {
  const floor = await startFloor();
  const server = await startServer({ environment: { LOG_LEVEL: 'info' } });
  try {
    const { secretKey: key, agentId, tenantId } = await createAgent(server, script);
    const chatKey = await createChatKeys(server, { tenantId, agentId }, turns * (rounds + 1));
    const pid = server.pid!;
    const emptyRoute = () =>
      callJson(floor.url, { method: 'POST', body: { message: 'Hello' } }).then(() => undefined);
    const session = () => sessionTurn(server.url, key);
    const followed = () => followedTurn(server.url, key, () => undefined);
    let chatTurns = 0;
    const chat = async () => {
      const body = { id: `bench-${chatTurns++}`, text: 'Hello' };
      await callJson(`${server.url}/api/v1/agent/chat`, { method: 'POST', key: chatKey(), body });
    };

    await inParallel(turns, 16, emptyRoute);
    await inParallel(turns, 16, session);
    await inParallel(turns, 16, followed);
    await inParallel(turns, 16, chat);

    const costs = {
      empty: [] as number[],
      session: [] as number[],
      followed: [] as number[],
      chat: [] as number[],
    };
    for (let round = 0; round < rounds; round += 1) {
      costs.empty.push(await cpuPerTask(floor.pid, turns * 2, 16, emptyRoute));
      costs.session.push(await cpuPerTask(pid, turns, 16, session));
      costs.followed.push(await cpuPerTask(pid, turns, 16, followed));
      costs.chat.push(await cpuPerTask(pid, turns, 16, chat));
    }
    const [empty, sessionCost, followedCost, chatCost] = [
      costs.empty,
      costs.session,
      costs.followed,
      costs.chat,
    ].map((list) => percentile(list, 0.5));
    process.stdout.write(`CPU, median of ${rounds} rounds of ${turns} turns of 50 deltas, 16 at once\n`);
    row('empty Express route', empty!, 'ms CPU', '');
    row('Sessions turn (create, stream, turn)', sessionCost!, 'ms CPU', 'aim 1.5');
    row('  beside the empty route', sessionCost! / empty!, 'times', 'at most 13');
    row('Sessions turn, started and followed in one request', followedCost!, 'ms CPU', 'aim 1.5');
    row('  beside the empty route', followedCost! / empty!, 'times', 'at most 13');
    row('Chat turn', chatCost!, 'ms CPU', '');
    row('  beside the empty route', chatCost! / empty!, 'times', 'at most 7');

    await latencies(server.url, key);
    await followedLatencies(server.url, key);
    await throughput('Sessions turns, 32 at once', pid, session);
    await throughput('The same, each in one request', pid, followed);
  } finally {
    floor.child.kill();
    await server.stop();
  }
}

async function startFloor() {
  const child = fork(join(import.meta.dirname, 'empty-route.ts'), { execArgv: [] });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url, pid: child.pid! };
}

async function sessionTurn(
  url: string,
  key: string,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const { sessionId } = await createSession(url, key);
  await readUntil(`${url}/parley/v1/session/${sessionId}/stream?soFar=0`, key, '"session.waiting"', onLine);
}

/** As the widget and the client start one: the answer to the request is the stream. */
async function followedTurn(url: string, key: string, onLine: (line: string) => void): Promise<void> {
  const response = await open(`${url}/parley/v1/session`, {
    method: 'POST',
    key,
    headers: { accept: 'application/x-ndjson' },
    body: { message: 'Hello' },
  });
  await readLines(response, '"session.waiting"', onLine);
}

function createSession(url: string, key: string): Promise<Created> {
  return callJson<Created>(`${url}/parley/v1/session`, { method: 'POST', key, body: { message: 'Hello' } });
}

async function cpuPerTask(
  pid: number,
  total: number,
  concurrency: number,
  task: () => Promise<void>,
): Promise<number> {
  const before = cpuMs(pid);
  await inParallel(total, concurrency, task);
  return (cpuMs(pid) - before) / total;
}

async function latencies(url: string, key: string): Promise<void> {
  const times = { accepted: [] as number[], appended: [] as number[], waiting: [] as number[] };
  for (let turn = 0; turn < 300; turn += 1) {
    const startedAt = performance.now();
    const { sessionId } = await createSession(url, key);
    times.accepted.push(performance.now() - startedAt);
    let appended = false;
    await readUntil(
      `${url}/parley/v1/session/${sessionId}/stream?soFar=0`,
      key,
      '"session.waiting"',
      (line) => {
        if (appended || !line.includes('"message.appended"')) return;
        appended = true;
        times.appended.push(performance.now() - startedAt);
      },
    );
    times.waiting.push(performance.now() - startedAt);
  }
  process.stdout.write('Latency of 300 Sessions turns, one at a time\n');
  row('POST to 202, p50', percentile(times.accepted, 0.5), 'ms', 'aim 5');
  row('POST to 202, p99', percentile(times.accepted, 0.99), 'ms', '');
  row('POST to the first message.appended, p50', percentile(times.appended, 0.5), 'ms', 'aim 2');
  row('POST to the first message.appended, p99', percentile(times.appended, 0.99), 'ms', '');
  row('POST to session.waiting, p50', percentile(times.waiting, 0.5), 'ms', 'aim 20');
  row('POST to session.waiting, p99', percentile(times.waiting, 0.99), 'ms', '');
}

async function followedLatencies(url: string, key: string): Promise<void> {
  const appended: number[] = [];
  for (let turn = 0; turn < 300; turn += 1) {
    const startedAt = performance.now();
    await followedTurn(url, key, (line) => {
      if (appended.length === turn && line.includes('"message.appended"'))
        appended.push(performance.now() - startedAt);
    });
  }
  process.stdout.write('The same, each in one request\n');
  row('POST to the first message.appended, p50', percentile(appended, 0.5), 'ms', 'aim 2');
  row('POST to the first message.appended, p99', percentile(appended, 0.99), 'ms', '');
}

async function throughput(title: string, pid: number, turn: () => Promise<void>): Promise<void> {
  const total = 3_000;
  const cpuBefore = cpuMs(pid);
  const startedAt = performance.now();
  await inParallel(total, 32, turn);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(`${title}\n`);
  row('turns per second', total / seconds, '/s', 'aim 600');
  row('server busy', (cpuMs(pid) - cpuBefore) / seconds / 10, '% core', '');
}
