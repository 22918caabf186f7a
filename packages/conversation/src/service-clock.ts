import type { Clock } from '@parley/client/clock';

/** Half of what a `Date` header does not tell. */
const halfASecond = 500;
/** What less than that says is how long the answer took. */
const smallestOffset = 2_000;

export type ServiceClock = ReturnType<typeof createServiceClock>;

/** What time it is for the service, by the first of its answers that tells; until then, what this device takes it for. */
export function createServiceClock(clock: Clock) {
  let offset: number | undefined;
  return {
    hear({ headers }: Response) {
      const date = Date.parse(headers.get('date') ?? '');
      if (offset !== undefined || Number.isNaN(date)) return;
      offset = date + halfASecond - clock.now();
      if (Math.abs(offset) < smallestOffset) offset = 0;
    },
    now: () => clock.now() + (offset ?? 0),
    /** When that was that the service has dated, by the clock of this device; milliseconds. */
    localTime: (at: string) => Date.parse(at) - (offset ?? 0),
  };
}
