import { backupUnderLoad } from '../crash/backup-under-load.ts';

const visitors = 50;
const backups = 5;
const messagesBetween = 400;

/** Backups of a service with 50 busy sessions, each of a database that is larger than the last one's. The number of violations. */
export async function chaosOfBackups(): Promise<number> {
  let broken = 0;
  for (let taken = 1; taken <= backups; taken += 1) {
    const report = await backupUnderLoad({ visitors, messages: taken * messagesBetween });
    const { sessions, acknowledged, meanwhile, backupMs, violations } = report;
    console.log(
      `backup ${taken}: ${sessions} sessions, ${acknowledged} messages acknowledged before it, ${meanwhile} on their way ` +
        `in the ${backupMs} ms that it took, ${violations.length} violations`,
    );
    for (const { invariant, detail } of violations) console.log(`  ${invariant}: ${detail}`);
    broken += violations.length;
  }
  return broken;
}
