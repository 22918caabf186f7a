import type { TakeOver } from './ownership.ts';
import { faultKinds } from './process-group.ts';

const leaseMs = 5_000;
/** Beyond the lease. */
const maxLateMs = 2_000;

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
    console.log(`${timed.length} taken over in all: ${spread(timed)}; ${leaseMs + maxLateMs} ms are allowed`);
}

/** One, when more than one in a hundred waited for another process longer than a lease and two seconds. */
export function lateTakeOvers(all: readonly TakeOver[]): { invariant: 'take-over'; detail: string }[] {
  const p99 = percentile(
    all.flatMap(({ takenMs }) => takenMs ?? []),
    0.99,
  );
  if (p99 === undefined || p99 <= leaseMs + maxLateMs) return [];
  return [{ invariant: 'take-over', detail: `p99 is ${p99} ms.` }];
}

function spread(taken: readonly TakeOver[]): string {
  const leased = percentiles(taken.map(({ takenMs }) => takenMs ?? 0));
  return `leased after ${leased}; next event after ${percentiles(taken.map(({ ms }) => ms ?? 0))}`;
}

function percentiles(times: readonly number[]): string {
  const at = (part: number) => percentile(times, part);
  return `${at(0.5)} ms p50, ${at(0.99)} ms p99, ${at(1)} ms at most`;
}

function percentile(unsorted: readonly number[], part: number): number | undefined {
  const times = unsorted.toSorted((a, b) => a - b);
  return times[Math.min(Math.floor(times.length * part), times.length - 1)];
}
