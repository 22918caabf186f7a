import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { backupDatabase } from '../store/sqlite/backup.ts';
import { CommandError } from './command-error.ts';
import { quoted } from './quoted.ts';
import { readWords } from './read-words.ts';
import { say } from './say.ts';

/** Of SQLite: FULL, and IOERR_WRITE, as of a quota or a disk that fails. */
const unwritten: readonly unknown[] = [13, 10 | (3 << 8)];

/** Copies the embedded database as it is now; the service may run meanwhile. */
export async function backup(words: readonly string[]): Promise<void> {
  const { positionals } = readWords(words, { usage: 'backup FILE', options: {}, files: 1 });
  const file = resolve(positionals[0] ?? '');
  const { databaseFile, postgresUrl, secretKeyBase } = readConfig(process.env);
  if (postgresUrl !== undefined)
    throw new CommandError(
      `PostgreSQL makes its own backups, online and consistent:\n\n  pg_dump --format=custom --file=${quoted(file)} "$DATABASE_URL"\n\nand brings one back into an empty database:\n\n  pg_restore --no-owner --dbname="$DATABASE_URL" ${quoted(file)}`,
    );
  if (!existsSync(databaseFile))
    throw new CommandError(`DATABASE_URL: there is no database at ${databaseFile}.`);
  if (existsSync(file)) throw new CommandError(`${file} is there already. Name another file.`);
  if (!existsSync(dirname(file))) throw new CommandError(`There is no folder ${dirname(file)}.`);
  try {
    backupDatabase(databaseFile, file);
  } catch (cause) {
    if (isOfCopy(cause)) throw new CommandError(`${file} cannot be written: ${cause.message}`, { cause });
    throw cause;
  }
  const megabytes = (statSync(file).size / 1_000_000).toFixed(1);
  say(`${file}: ${megabytes} MB, everything that was acknowledged before it began.`);
  say('Conversations and files are in it as they are. Keys of providers and secrets of tools are encrypted.');
  say(
    secretKeyBase === undefined
      ? `What they are encrypted under is not in it: keep ${databaseFile}.secret-key-base apart from it.`
      : 'What they are encrypted under is not in it: keep SECRET_KEY_BASE apart from it.',
  );
}

/** Of the file that is written: the database is only read by SQLite. */
function isOfCopy(error: unknown): error is Error {
  return (
    error instanceof Error &&
    ('syscall' in error || ('errcode' in error && unwritten.includes(error.errcode)))
  );
}
