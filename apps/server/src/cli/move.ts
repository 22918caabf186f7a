import { existsSync } from 'node:fs';
import { databaseFile, postgresUrl } from '../config.ts';
import { startProblem } from '../start-problem.ts';
import { MoveError } from '../store/move/move-error.ts';
import { moveDatabase } from '../store/move/move-database.ts';
import { CommandError } from './command-error.ts';
import { readWords } from './read-words.ts';
import { say } from './say.ts';

const usage = 'move --from file:<path> --to postgres://<user>:<password>@<host>:<port>/<database>';

/** Copies what the embedded database holds to PostgreSQL. */
export async function move(words: readonly string[]): Promise<void> {
  const { from, to } = readAddresses(words);
  try {
    await moveDatabase({ from, to, report: say });
  } catch (cause) {
    const problem = moveProblem(cause);
    if (problem === null) throw cause;
    throw new CommandError(problem, { cause });
  }
  say('Moved. Start the service with DATABASE_URL as given to --to.');
  for (const [variable, file] of [
    ['SECRET_KEY_BASE', `${from}.secret-key-base`],
    ['ADMIN_TOKEN', `${from}.admin-token`],
  ] as const)
    if (existsSync(file)) say(`${variable} is what ${file} holds, unless it was set.`);
}

function readAddresses(words: readonly string[]): { readonly from: string; readonly to: string } {
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
  const { values } = readWords(words, { usage, options, files: 0 });
  const read = (parse: (address: string) => string, option: 'from' | 'to', what: string): string => {
    try {
      return parse(values[option] ?? '');
    } catch (cause) {
      // Whatever is wrong with it, its password is not repeated.
      throw new CommandError(`--${option} takes the address of ${what}.\nUsage: parley ${usage}`, { cause });
    }
  };
  return {
    from: read(databaseFile, 'from', 'an SQLite file'),
    to: read(postgresUrl, 'to', 'a PostgreSQL database'),
  };
}

/** Names the option, where the service would name DATABASE_URL; null for what only a developer can mend. */
function moveProblem(error: unknown): string | null {
  if (error instanceof MoveError) return error.message;
  // Of SQLite, or of the file of its lock.
  const isOfSource = error instanceof Error && ('errcode' in error || 'path' in error);
  const option = isOfSource ? '--from' : '--to';
  const problem = startProblem(error, option);
  return problem === null || problem.startsWith(option) ? problem : `${option}: ${problem}`;
}
