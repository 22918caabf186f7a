import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { listUnbuilt } from '../unbuilt.ts';
import { readConfig } from '../config.ts';
import { CommandError } from './command-error.ts';
import { readWords } from './read-words.ts';
import { say } from './say.ts';

/** Starts the service in this process, after building what of its pages was not built yet. */
export async function serve(words: readonly string[]): Promise<void> {
  readWords(words, { usage: 'serve', options: {}, files: 0 });
  // Nobody waits for a build to hear that a variable is wrong.
  readConfig(process.env);
  for (const { what, file } of listUnbuilt()) {
    say(`Building ${what}.`);
    try {
      execFileSync(process.execPath, ['--run', 'build'], { cwd: dirname(dirname(file)), stdio: 'inherit' });
    } catch (cause) {
      const folder = join(dirname(file), '..');
      throw new CommandError(`Could not build ${what} in ${folder}. Build it elsewhere and copy its dist.`, {
        cause,
      });
    }
  }
  // The service's own program takes no words.
  process.argv.length = 2;
  await import('../main.ts');
}
