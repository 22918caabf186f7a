import type { IncomingMessage } from 'node:http';
import { setTimeout as elapsed } from 'node:timers/promises';
import { createAgent, startServer } from '../src/server.ts';
import { callJson, open, readUntil } from './http-client.ts';
import { cpuMs, residentBytes } from './process-cost.ts';
import { inParallel, percentile, row } from './statistics.ts';

const idleFollowers = 10_000;
/** Two of the checks that find what a reader was not told of. */
const idleSeconds = 10;
/** What was put off while the streams were opened is done by then. */
const settlingMs = 10_000;
const liveStreams = 200;
const deltasPerSecond = 50;
const seconds = 10;
/** What the timers of a busy process add to every pause of the embedded model. */
const timerLatenessMs = 4;

const script = [
  {
    when: 'stream',
    steps: [
      { say: 'word ', repeat: deltasPerSecond * seconds, delayMs: 1_000 / deltasPerSecond - timerLatenessMs },
    ],
  },
  { steps: [{ say: 'Hello.' }] },
];

interface Created {
  readonly sessionId: string;
}

/** What open streams cost, and how far readers are behind the log. */
export async function benchStreams(): Promise<void> {
  const server = await startServer({
    environment: { MAX_CONNECTIONS_PER_ADDRESS: String(2 * (idleFollowers + liveStreams)) },
  });
  try {
    const { secretKey: key } = await createAgent(server, script);
    const pid = server.pid!;
    const create = (message: string) =>
      callJson<Created>(`${server.url}/parley/v1/session`, { method: 'POST', key, body: { message } });
    const streamUrl = (id: string, start = 0) =>
      `${server.url}/parley/v1/session/${id}/stream?soFar=0&startIndex=${start}`;

    const ids: string[] = [];
    await inParallel(idleFollowers, 16, async () => {
      const { sessionId } = await create('Hello');
      await readUntil(streamUrl(sessionId), key, '"session.waiting"', () => undefined);
      ids.push(sessionId);
    });
    const before = residentBytes(pid);
    const idle: IncomingMessage[] = [];
    await inParallel(ids.length, 32, async (index) => {
      const response = await open(streamUrl(ids[index]!, 1_000_000), {
        method: 'GET',
        key,
        headers: { connection: 'close' },
      });
      response.resume();
      idle.push(response);
    });
    const perStream = (residentBytes(pid) - before) / idle.length;
    process.stdout.write(`${idle.length} idle followers\n`);
    row('resident memory for each', perStream / 1000, 'kB', 'at most 30');
    await elapsed(settlingMs);
    const cpuBefore = cpuMs(pid);
    await elapsed(idleSeconds * 1_000);
    row('CPU while nothing happens', (cpuMs(pid) - cpuBefore) / idleSeconds / 10, '% core', 'under 5');

    const delays: number[] = [];
    const startedAt = performance.now();
    await inParallel(liveStreams, liveStreams, async () => {
      const { sessionId } = await create('stream');
      await readUntil(streamUrl(sessionId), key, '"session.waiting"', (line) => {
        if (!line.includes('"message.appended"')) return;
        const at = line.indexOf('"at":"') + 6;
        delays.push(Date.now() - Date.parse(line.slice(at, at + 24)));
      });
    });
    process.stdout.write(
      `${liveStreams} live streams at ${deltasPerSecond} deltas/s for ${seconds} s, beside them\n`,
    );
    row(
      'deltas a second, each',
      delays.length / liveStreams / ((performance.now() - startedAt) / 1000),
      '/s',
      '',
    );
    row('append to reader, p50', percentile(delays, 0.5), 'ms', '');
    row('append to reader, p99', percentile(delays, 0.99), 'ms', 'under 50');
    for (const response of idle) response.destroy();
  } finally {
    await server.stop();
  }
}
