import { existsSync } from 'node:fs';
import { databaseFile, postgresUrl } from '../config.ts';
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
    if (isForOperator(cause)) throw new CommandError(cause.message, { cause });
    throw cause;
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
  try {
    return { from: databaseFile(values.from ?? ''), to: postgresUrl(values.to ?? '') };
  } catch (cause) {
    throw new CommandError(`${(cause as Error).message}\nUsage: parley ${usage}`, { cause });
  }
}

/** Whether the message says all that the operator needs: also what the network or PostgreSQL says of the connection. */
function isForOperator(error: unknown): error is Error {
  if (error instanceof MoveError) return true;
  return (
    error instanceof Error && 'code' in error && /^(?:E[A-Z]+|08...|28...|3D000)$/.test(String(error.code))
  );
}
