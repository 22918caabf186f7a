import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ServiceStatus } from '@parley/protocol/settings/status';
import type { Metric } from './metrics-text.ts';

const nanoseconds = 1e9;

/** What this process holds, and how late its event loop is. */
export class ProcessMetrics {
  readonly #delay: ReturnType<typeof monitorEventLoopDelay>;

  constructor() {
    this.#delay = monitorEventLoopDelay({ resolution: 20 });
    this.#delay.enable();
  }

  /** The delays are those since it was last asked. */
  metrics({ connections, streams }: ServiceStatus): readonly Metric[] {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const quantiles = [50, 99, 100].map((percentile) => ({
      labels: { quantile: String(percentile / 100) },
      value: this.#delay.percentile(percentile) / nanoseconds,
    }));
    this.#delay.reset();
    const counter = (name: string, help: string, value: number): Metric => ({
      name,
      help,
      type: 'counter',
      samples: [{ value }],
    });
    const gauge = (name: string, help: string, value: number): Metric => ({
      ...counter(name, help, value),
      type: 'gauge',
    });
    return [
      gauge('parley_streams_open', 'Session streams that are open.', streams.open),
      gauge(
        'parley_streams_behind',
        'Of these, those whose readers have not taken what was sent.',
        streams.behind,
      ),
      gauge('parley_connections_open', 'Connections that are open.', connections.open),
      counter('parley_connections_accepted_total', 'Connections that were accepted.', connections.accepted),
      counter('parley_connections_dropped_total', 'Connections over a limit.', connections.dropped),
      counter(
        'parley_connections_timed_out_total',
        'Connections whose requests came too late.',
        connections.timedOut,
      ),
      counter(
        'parley_connections_stuck_total',
        'Connections that took nothing of a response.',
        connections.stuck,
      ),
      {
        name: 'parley_event_loop_delay_seconds',
        help: 'How late the event loop is, since it was last asked; one timer of 20 ms is in it.',
        type: 'gauge',
        samples: quantiles,
      },
      gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
      counter('process_cpu_seconds_total', 'CPU of the process.', (user + system) / 1e6),
    ];
  }

  stop(): void {
    this.#delay.disable();
  }
}
