import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delta, enqueueRequest } from '../store/contract/samples.ts';
import type { Lease } from '../store/lease-store.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { startPostgresServer } from './postgres-server.ts';

// Run as a process of its own: prints what calls of a store cost on each engine, one JSON object per line.
const calls = 1_000;
const lease = { owner: 'bench', leaseMs: 600_000 };

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const server = await startPostgresServer({ fsync: true });
await measure('sqlite', await openSqliteStore({ path: join(folder, 'bench.db') }));
await measure('postgres', await openPostgresStore({ url: server.url }));
await server.stop();
rmSync(folder, { recursive: true });
process.exit(0);

async function measure(engine: string, store: Store): Promise<void> {
  let sessions = 0;
  const open = async (): Promise<Lease> => {
    const request = enqueueRequest({ sessionId: `session_${sessions++}`, lease });
    const result = await store.enqueue(request);
    if (result.outcome !== 'accepted' || !result.leased) throw new Error(result.outcome);
    return result.leased.lease;
  };
  for (const concurrency of [1, 20]) {
    const leases = await Promise.all(Array.from({ length: concurrency }, open));
    const commit = (size: number) => {
      const events = Array.from({ length: size }, (_, n) => delta(`some words ${n} `));
      return async (worker: number) => void (await store.commit(leases[worker]!, { events }));
    };
    await row(engine, 'enqueue', concurrency, async () => void (await open()));
    await row(engine, 'commit 1 event', concurrency, commit(1));
    await row(engine, 'commit 20 events', concurrency, commit(20));
    const read = async (worker: number) => void (await store.readEvents(leases[worker]!.sessionId, 0, 20));
    await row(engine, 'read 20 events', concurrency, read);
  }
  await store.close();
}

async function row(
  engine: string,
  call: string,
  concurrency: number,
  work: (worker: number) => Promise<void>,
): Promise<void> {
  for (let n = 0; n < 20; n++) await work(0);
  const cpu = process.cpuUsage();
  const times: number[] = [];
  const begunAt = performance.now();
  let begun = 0;
  const worker = async (_: unknown, index: number) => {
    while (begun++ < calls) {
      const at = performance.now();
      await work(index);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - begunAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuUs = (user + system) / calls;
  process.stdout.write(
    `${JSON.stringify({ engine, call, concurrency, perSecond: calls / seconds, cpuUs, times })}\n`,
  );
}
