import { parseArgs } from 'node:util';
import { chaosOfBackups } from './chaos/backup-of-busy-service.ts';
import { chaosOfProcesses } from './chaos/many-processes.ts';
import { chaosOfOneProcess } from './chaos/one-process.ts';
import { type FaultKind, faultKinds } from './chaos/process-group.ts';
import { lateTakeOvers, printTakeOvers } from './chaos/take-over-figures.ts';
import { randomFrom } from './crash/random.ts';

// `pnpm chaos [seed] [--seconds N] [--processes N] [--backups]`: what CONTRIBUTING says of it.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backups: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    seconds: { type: 'string' },
  },
});
const seed = Number(positionals[0] ?? Date.now() % 1_000_000);
const processes = Number(values.processes);
const seconds = values.seconds === undefined ? null : Number(values.seconds);

/** Any of the faults, again and again, for so long. */
function* faultsFor(milliseconds: number): Generator<FaultKind> {
  const random = randomFrom(seed);
  const begun = performance.now();
  while (performance.now() - begun < milliseconds)
    yield faultKinds[Math.floor(random() * faultKinds.length)]!;
}

async function manyProcesses(): Promise<number> {
  const faults = faultsFor((seconds ?? 300) * 1_000);
  const outcome = await chaosOfProcesses({ seed, processes, visitors: 50, faults, report: console.log });
  const violations = [...outcome.violations, ...lateTakeOvers(outcome.takeOvers)];
  printTakeOvers(outcome.takeOvers);
  for (const { invariant, detail } of violations) console.log(`  ${invariant}: ${detail}`);
  return violations.length;
}

const chaos = () => {
  if (values.backups) return chaosOfBackups();
  return processes === 1 ? chaosOfOneProcess({ seed, seconds }) : manyProcesses();
};
const broken = await chaos();
console.log(broken === 0 ? 'Nothing was lost or doubled.' : `${broken} violations, seed ${seed}`);
process.exit(broken === 0 ? 0 : 1);
