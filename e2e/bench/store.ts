import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { percentile, row } from './statistics.ts';

const program = join(import.meta.dirname, '../../apps/server/src/testing/store-bench-main.ts');

interface Measured {
  readonly engine: string;
  readonly call: string;
  readonly concurrency: number;
  readonly perSecond: number;
  /** Of the process that asks; PostgreSQL has a process of its own. */
  readonly cpuUs: number;
  /** Milliseconds of each call. */
  readonly times: readonly number[];
}

/** Calls of the store on both engines, each commit on disk, one at a time and 20 at once. */
export async function benchStore(): Promise<void> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { engine, call, concurrency, perSecond, cpuUs, times } = JSON.parse(line) as Measured;
    const name = `store, ${engine}: ${call}, ${concurrency} at once`;
    row(
      `${name}, p50`,
      percentile(times, 0.5),
      'ms',
      `${perSecond.toFixed(0)}/s, ${cpuUs.toFixed(0)} us CPU`,
    );
  }
}
