import { openBusyService } from '../crash/busy-service.ts';
import { killAtRandom } from '../crash/random-kills.ts';

const kills = 100;
const killsPerDatabase = 20;

/** Kills the service 100 times, or for so long, under busy visitors on SQLite. The number of violations. */
export async function chaosOfOneProcess(options: {
  readonly seed: number;
  readonly seconds: number | null;
}): Promise<number> {
  const { seed, seconds } = options;
  const begun = performance.now();
  const isOver = (round: number) =>
    seconds === null
      ? round >= kills / killsPerDatabase
      : round > 0 && performance.now() - begun > seconds * 1_000;
  let broken = 0;
  console.log(`kills at random moments, seed ${seed}`);
  for (let round = 0; !isOver(round); round += 1) {
    const busy = await openBusyService();
    try {
      await killAtRandom(busy, { seed: seed + round, kills: killsPerDatabase, report: console.log });
      const { operations, logs, deliveries } = await busy.history();
      const events = [...logs.values()].reduce((sum, log) => sum + log.length, 0);
      const unknown = operations.filter(({ outcome }) => outcome === 'unknown').length;
      const violations = await busy.violations();
      console.log(
        `database ${round + 1}: ${logs.size} sessions, ${events} events, ${operations.length} requests ` +
          `(${unknown} without an answer), ${deliveries.length} tool calls, ${violations.length} violations`,
      );
      for (const { invariant, detail } of violations) console.log(`  ${invariant}: ${detail}`);
      broken += violations.length;
    } finally {
      await busy.close();
    }
  }
  return broken;
}
