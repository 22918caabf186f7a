import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { percentile, row } from './statistics.ts';

const program = join(import.meta.dirname, '../../apps/server/src/testing/knowledge-bench-main.ts');

interface Measured {
  readonly engine: string;
  readonly passages: number;
  /** Milliseconds to index 1,000 pages. */
  readonly per1000: number;
  /** Longest time in which the event loop did nothing else. */
  readonly longestMs: number;
  /** Milliseconds of each search. */
  readonly times: readonly number[];
}

/** 5,000 pages of one agent on both engines: indexed, and then searched with questions of six words. */
export async function benchKnowledge(): Promise<void> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { engine, passages, per1000, longestMs, times } = JSON.parse(line) as Measured;
    const name = `knowledge, ${engine}`;
    row(`${name}: 1,000 pages indexed`, per1000, 'ms', `event loop held ${longestMs.toFixed(0)} ms at most`);
    row(`${name}: a search, p50`, percentile(times, 0.5), 'ms', `${passages} passages`);
    row(`${name}: a search, p95`, percentile(times, 0.95), 'ms', '');
  }
}
