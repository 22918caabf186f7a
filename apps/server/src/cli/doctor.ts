import { type Config, readConfig } from '../config.ts';
import { listUnbuilt } from '../unbuilt.ts';
import { checkAddress } from './doctor/check-address.ts';
import { checkDatabase } from './doctor/check-database.ts';
import { checkProviders } from './doctor/check-providers.ts';
import { checkRunning } from './doctor/check-running.ts';
import { checkOpening } from './doctor/check-opening.ts';
import type { Finding } from './doctor/finding.ts';
import { readWords } from './read-words.ts';
import { say } from './say.ts';

/** Looks at everything that an installation needs, and says of what is wrong which line mends it. */
export async function doctor(words: readonly string[]): Promise<void> {
  readWords(words, { usage: 'doctor', options: {}, files: 0 });
  const config = readConfig(process.env);
  say('ok     The configuration can be read.');
  let problems = 0;
  for (const check of [checkPages, checkDatabase, checkOpening, checkAddress, checkProviders, checkRunning])
    for (const { text, mend } of await check(config)) {
      say(`${mend === undefined ? 'ok   ' : 'WRONG'}  ${text}`);
      if (mend === undefined) continue;
      problems += 1;
      say(`       ${mend}`);
    }
  say(problems === 0 ? 'Nothing is wrong.' : `${problems} to mend.`);
  if (problems > 0) process.exitCode = 1;
}

async function checkPages(_config: Config): Promise<Finding[]> {
  const missing = listUnbuilt();
  if (missing.length === 0) return [{ text: 'The widget and the console are built.' }];
  return missing.map(({ what }) => ({ text: `It is not built: ${what}.`, mend: 'npx -y pnpm@12 build' }));
}
