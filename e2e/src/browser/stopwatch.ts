import { test } from '@playwright/test';

interface Stopwatch {
  /** Does one part of what is timed. */
  lap(name: string, run: () => Promise<void>): Promise<void>;
  /** What the laps so far make together, in seconds. */
  split(name: string): number;
  /** A line for each lap and each split. */
  readonly lines: readonly string[];
}

/** Times a test, and says so in its report: `pnpm test` prints it at the end. */
export function startStopwatch(): Stopwatch {
  const startedAt = performance.now();
  const lines: string[] = [];
  const secondsSince = (time: number) => (performance.now() - time) / 1_000;
  const note = (seconds: number, name: string) => lines.push(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
  return {
    lines,
    async lap(name, run) {
      const lapStartedAt = performance.now();
      await test.step(name, run);
      note(secondsSince(lapStartedAt), name);
    },
    split(name) {
      const seconds = secondsSince(startedAt);
      note(seconds, `= ${name}`);
      return seconds;
    },
  };
}
