import { dirname } from 'node:path';
import { listUnbuilt } from '../unbuilt.ts';
import { readConfig } from '../config.ts';
import { CommandError } from './command-error.ts';
import { readWords } from './read-words.ts';
import { runBuild } from './run-build.ts';
import { say } from './say.ts';

/** Starts the service in this process, after building what of its pages was not built yet. */
export async function serve(words: readonly string[]): Promise<void> {
  readWords(words, { usage: 'serve', options: {}, files: 0 });
  // Nobody waits for a build to hear that a variable is wrong.
  readConfig(process.env);
  for (const { what, file } of listUnbuilt()) {
    say(`Building ${what}.`);
    const folder = dirname(dirname(file));
    if (!(await runBuild(folder)))
      throw new CommandError(`Could not build ${what} in ${folder}. Build it elsewhere and copy its dist.`);
  }
  // The service's own program takes no words.
  process.argv.length = 2;
  await import('../main.ts');
}
