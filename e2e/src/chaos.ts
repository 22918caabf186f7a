import { parseArgs } from 'node:util';
import { chaosOfBackups } from './chaos/backup-of-busy-service.ts';
import { chaosOfProcesses } from './chaos/many-processes.ts';
import { chaosOfOneProcess } from './chaos/one-process.ts';

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
const chaos = () => {
  if (values.backups) return chaosOfBackups();
  if (processes === 1) return chaosOfOneProcess({ seed, seconds });
  return chaosOfProcesses({ seed, processes, seconds: seconds ?? 300 });
};
const broken = await chaos();
console.log(broken === 0 ? 'Nothing was lost or doubled.' : `${broken} violations, seed ${seed}`);
process.exit(broken === 0 ? 0 : 1);
