import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { serverTimeouts } from '../http/connection/server-timeouts.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import './end-with-parent.ts';

/** What the process holds, and how late its event loop was since the last reset. */
export interface Measurement {
  /** Open descriptors. */
  readonly fds: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly loopDelayMaxMs: number;
  readonly loopDelayP99Ms: number;
}

const samplingMs = 5;
const delays = monitorEventLoopDelay({ resolution: samplingMs });
/** The histogram holds whole intervals between two samples. */
const late = (nanoseconds: number): number => Math.max(nanoseconds / 1e6 - samplingMs, 0);

async function measure(): Promise<Measurement> {
  // A message may come in before the sample that a blocked loop has made late.
  await setTimeout(2 * samplingMs);
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    fds: readdirSync('/dev/fd').length,
    rss,
    heapUsed,
    external,
    loopDelayMaxMs: late(delays.max),
    loopDelayP99Ms: late(delays.percentile(99)),
  };
}

/** Begins to watch the event loop anew. */
async function watch(): Promise<Measurement> {
  const measurement = await measure();
  delays.reset();
  return measurement;
}

/** The same once garbage was collected, which holds the loop for longer than most requests do. */
function reset(): Promise<Measurement> {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
  return watch();
}

// The service as main.ts starts it, with other times if its parent sets SERVER_TIMEOUTS, and what the parent asks of it.
const config = readConfig(process.env);
const service = await startService(config, createLogger(config.logLevel), {
  serverTimeouts: { ...serverTimeouts, ...JSON.parse(process.env['SERVER_TIMEOUTS'] ?? '{}') },
});
const answers = { measure, watch, reset };
process.on('message', async ({ type }: { type: keyof typeof answers }) => {
  process.send?.(await answers[type]());
});
delays.enable();
process.send?.({ ready: true, url: service.url, adminToken: service.adminToken.value });
