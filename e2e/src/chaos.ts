/** Kills the service 100 times under busy visitors and checks all that was seen: `pnpm chaos [seed]`. */
import { openBusyService } from './crash/busy-service.ts';
import { killAtRandom } from './crash/random-kills.ts';

const kills = 100;
const killsPerDatabase = 20;
const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
let broken = 0;

console.log(`${kills} kills at random moments, seed ${seed}`);
for (let round = 0; round < kills / killsPerDatabase; round += 1) {
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
console.log(broken === 0 ? 'Nothing was lost or doubled.' : `${broken} violations, seed ${seed}`);
process.exitCode = broken === 0 ? 0 : 1;
