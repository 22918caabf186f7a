import { failureCauseCodes, failureDetailsSchema } from '@parley/protocol/failure-cause';
import type { StoredEvent } from '../store/event-store.ts';
import { Histogram } from './histogram.ts';
import type { Metric } from './metrics-text.ts';

const statuses = {
  'turn.completed': 'completed',
  'turn.failed': 'failed',
  'turn.cancelled': 'cancelled',
} as const;
type Status = (typeof statuses)[keyof typeof statuses];

/** More turns than a process runs at once: one whose end another process wrote is forgotten. */
const maxOpen = 10_000;

interface OpenTurn {
  readonly startedAt: number;
  hasSpoken: boolean;
}

/** Counts what this process has written to the logs of its sessions. */
export class TurnMetrics {
  readonly #ended: Record<Status, number> = { completed: 0, failed: 0, cancelled: 0 };
  readonly #causes = new Map<string, number>(failureCauseCodes.map((code) => [code, 0]));
  readonly #firstDelta = new Histogram();
  readonly #whole = new Histogram();
  readonly #open = new Map<string, OpenTurn>();

  /** Events that were just committed. */
  note(sessionId: string, events: readonly StoredEvent[]): void {
    for (const { event } of events)
      switch (event.type) {
        case 'turn.started':
          if (this.#open.size >= maxOpen) this.#open.delete(this.#open.keys().next().value ?? '');
          this.#open.set(sessionId, { startedAt: Date.parse(event.meta.at), hasSpoken: false });
          break;
        case 'message.appended': {
          const turn = this.#open.get(sessionId);
          if (!turn || turn.hasSpoken) break;
          turn.hasSpoken = true;
          this.#firstDelta.observe(since(turn, event.meta.at));
          break;
        }
        case 'step.failed': {
          const code = failureDetailsSchema.safeParse(event.data.details).data?.cause?.code;
          if (code !== undefined) this.#causes.set(code, (this.#causes.get(code) ?? 0) + 1);
          break;
        }
        case 'turn.completed':
        case 'turn.failed':
        case 'turn.cancelled': {
          this.#ended[statuses[event.type]] += 1;
          const turn = this.#open.get(sessionId);
          this.#open.delete(sessionId);
          if (turn) this.#whole.observe(since(turn, event.meta.at));
        }
      }
  }

  metrics(): readonly Metric[] {
    return [
      {
        name: 'parley_turns_total',
        help: 'Turns that ended in this process.',
        type: 'counter',
        samples: Object.entries(this.#ended).map(([status, value]) => ({ labels: { status }, value })),
      },
      {
        name: 'parley_model_errors_total',
        help: 'Steps whose model did not answer, by cause.',
        type: 'counter',
        samples: [...this.#causes].map(([cause, value]) => ({ labels: { cause }, value })),
      },
      {
        name: 'parley_turn_first_delta_seconds',
        help: 'From the start of a turn to its first words.',
        type: 'histogram',
        samples: this.#firstDelta.samples(),
      },
      {
        name: 'parley_turn_seconds',
        help: 'From the start of a turn to its end.',
        type: 'histogram',
        samples: this.#whole.samples(),
      },
    ];
  }
}

function since({ startedAt }: OpenTurn, at: string): number {
  return Math.max(0, Date.parse(at) - startedAt) / 1000;
}
