const dayMs = 86_400_000;

/** The days of UTC that end with today, as the service names them, the first first. */
export function lastDays(count: number, now: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** As many days before those. */
export const daysBefore = (days: readonly string[]): readonly string[] =>
  lastDays(days.length, Date.parse(days[0] ?? '') - dayMs);
