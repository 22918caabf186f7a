import type { Latency, LatencyOfAgent } from './usage-store.ts';

type Time = string | number | bigint | Uint8Array | null | undefined;

interface Times {
  readonly first: number[];
  readonly whole: number[];
}

/** How long turns took, by agent. */
export class TurnTimes {
  readonly #ofAgents = new Map<string, Times>();

  add(agentId: string, first: Time, whole: Time): void {
    const times = this.#ofAgents.get(agentId) ?? { first: [], whole: [] };
    this.#ofAgents.set(agentId, times);
    if (first != null) times.first.push(Number(first));
    if (whole != null) times.whole.push(Number(whole));
  }

  /** Of each agent, and of all where there are several. */
  latencies(): readonly LatencyOfAgent[] {
    const ofAgents = [...this.#ofAgents].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const listed: (readonly [string | null, Times])[] = [...ofAgents];
    if (ofAgents.length > 1) {
      const all = ofAgents.map(([, times]) => times);
      listed.push([
        null,
        { first: all.flatMap(({ first }) => first), whole: all.flatMap(({ whole }) => whole) },
      ]);
    }
    return listed.map(([agentId, { first, whole }]) => ({
      agentId,
      firstDelta: latency(first),
      wholeTurn: latency(whole),
    }));
  }
}

function latency(times: readonly number[]): Latency {
  const sorted = Float64Array.from(times).sort();
  return { p50: nearestRank(sorted, 50), p95: nearestRank(sorted, 95) };
}

/** The least time that so many of a hundred took at most. */
const nearestRank = (sorted: Float64Array, percent: number): number | null =>
  sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
