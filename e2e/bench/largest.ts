import { join } from 'node:path';
import { createGuest } from '../src/largest-requests/guest.ts';
import { type LightVisitor, lightVisitor } from '../src/largest-requests/light-visitor.ts';
import { type Measured, measureRequests } from '../src/largest-requests/measured-run.ts';
import { createAgent, startServer } from '../src/server.ts';
import { percentile, row } from './statistics.ts';

const program = join(import.meta.dirname, '../../apps/server/src/testing/measured-main.ts');
const script = [{ steps: [{ say: 'word ', repeat: 20, delayMs: 10 }] }];
const dearest = 10;

/** What the largest request of every route costs, and what a visitor of another tenant notices of it. */
export async function benchLargest(): Promise<void> {
  const server = await startServer({ program, environment: { NODE_OPTIONS: '--expose-gc' } });
  try {
    const other = await createAgent(server, script);
    const guest = await createGuest(server);
    const visit = async (meanwhile: (visitor: LightVisitor) => Promise<void>) => {
      const visitor = lightVisitor(server.url, other.publishableKey);
      await meanwhile(visitor);
      await visitor.stop();
      return percentile(visitor.turns, 0.95);
    };
    const alone = await visit(async (visitor) => {
      while (visitor.turns.length < 50) await visitor.next();
    });
    await measureRequests(server, guest);
    const before = await server.ask<Measured>({ type: 'reset' });
    const costs = await measureRequests(server, guest);
    const after = await server.ask<Measured>({ type: 'reset' });
    const beside = await visit(async () => void (await measureRequests(server, guest)));

    process.stdout.write(`The largest request of every route, ${costs.length} of them; the dearest:\n`);
    for (const { name, status, loopMs } of costs.toSorted((a, b) => b.loopMs - a.loopMs).slice(0, dearest))
      row(`  ${name}, answered ${status}`, loopMs, 'ms', 'loop held at most 50');
    row('resident memory after them', (after.rss - before.rss) / 1024 / 1024, 'MiB more', 'at most 64');
    row('a turn of another tenant alone, p95', alone, 'ms', '');
    row('  beside the largest requests', beside / alone, 'times', 'at most 1.5');
  } finally {
    await server.stop();
  }
}
