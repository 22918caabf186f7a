import { join } from 'node:path';
import { setTimeout as elapsed } from 'node:timers/promises';
import { createAgent, startServer } from '../src/server.ts';
import { callJson, readUntil } from './http-client.ts';
import { residentBytes } from './process-cost.ts';
import { inParallel, row } from './statistics.ts';

const minutes = 20;
const turnsPerSecond = 20;
const abandonedEvery = 5;
const program = join(import.meta.dirname, '../../apps/server/src/testing/measured-main.ts');
const script = [{ steps: [{ say: 'word ', repeat: 50 }] }];
const megabyte = 1024 * 1024;

/** What the measured service says of itself. */
interface Measurement {
  readonly fds: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly loopDelayP99Ms: number;
}

/**
 * Twenty minutes of new conversations, read to their end or left in the middle, and what the process holds after each
 * minute once garbage is collected: memory, descriptors and the event loop's delay stay where they were.
 */
export async function benchSoak(): Promise<void> {
  const server = await startServer({ program, environment: { NODE_OPTIONS: '--expose-gc' } });
  try {
    const { secretKey: key } = await createAgent(server, script);
    const turn = (index: number) => converse(server.url, key, index % abandonedEvery === 0);
    await inParallel(1_000, 16, turn);
    row('resident memory after 1,000 turns', residentBytes(server.pid!) / megabyte, 'MB', 'at most 200');

    const measured: Measurement[] = [];
    await server.ask({ type: 'reset' });
    for (let minute = 1; minute <= minutes; minute += 1) {
      const until = performance.now() + 60_000;
      const turns: Promise<void>[] = [];
      for (let index = 0; performance.now() < until; index += 1) {
        turns.push(turn(index));
        await elapsed(1_000 / turnsPerSecond);
      }
      await Promise.all(turns);
      const held = await server.ask<Measurement>({ type: 'reset' });
      measured.push(held);
      process.stdout.write(
        `minute ${String(minute).padStart(2)}: ${turns.length} turns, ${(held.rss / megabyte).toFixed(0)} MB resident, ` +
          `${(held.heapUsed / megabyte).toFixed(1)} MB of heap, ${held.fds} descriptors, ` +
          `loop delay p99 ${held.loopDelayP99Ms.toFixed(0)} ms\n`,
      );
    }
    const [first, last] = [measured[1]!, measured.at(-1)!];
    row('resident memory, last minute beside the second', last.rss / first.rss, 'times', 'flat');
    row('heap', last.heapUsed / first.heapUsed, 'times', 'flat');
    row('descriptors', last.fds - first.fds, 'more', '0');
    row('loop delay p99', last.loopDelayP99Ms - first.loopDelayP99Ms, 'ms more', '0');
  } finally {
    await server.stop();
  }
}

async function converse(url: string, key: string, leaves: boolean): Promise<void> {
  const base = `${url}/parley/v1/session`;
  const { sessionId } = await callJson<{ sessionId: string }>(base, {
    method: 'POST',
    key,
    body: { message: 'Hello' },
  });
  const last = leaves ? '"turn.started"' : '"session.waiting"';
  await readUntil(`${base}/${sessionId}/stream?soFar=0`, key, last, () => undefined);
}
