import type { TakeOver } from './ownership.ts';
import { faultKinds } from './process-group.ts';

const leaseMs = 5_000;
const sweepMs = 2_000;

/** How long sessions waited for another process, by what had happened to theirs. */
export function printTakeOvers(all: readonly TakeOver[]): void {
  for (const kind of [...faultKinds, null]) {
    const taken = all.filter((takeOver) => takeOver.kind === kind);
    if (taken.length === 0) continue;
    if (kind === null)
      console.log(`${taken.length} sessions taken over from a process that nothing had happened to`);
    else console.log(`${taken.length} sessions taken over from a process that was ${kind}: ${spread(taken)}`);
  }
  const timed = all.filter(({ ms }) => ms !== null);
  if (timed.length > 0)
    console.log(
      `${timed.length} taken over in all: ${spread(timed)}; a lease and a sweep are ${leaseMs + sweepMs} ms`,
    );
}

function spread(taken: readonly TakeOver[]): string {
  const leased = percentiles(taken.map(({ takenMs }) => takenMs ?? 0));
  return `leased after ${leased}; next event after ${percentiles(taken.map(({ ms }) => ms ?? 0))}`;
}

function percentiles(unsorted: readonly number[]): string {
  const times = unsorted.toSorted((a, b) => a - b);
  const at = (part: number) => times[Math.min(Math.floor(times.length * part), times.length - 1)];
  return `${at(0.5)} ms p50, ${at(0.99)} ms p99, ${times.at(-1)} ms at most`;
}
