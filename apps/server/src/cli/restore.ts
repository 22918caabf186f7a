import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { RestoreError, restoreDatabase } from '../store/sqlite/restore.ts';
import { CommandError } from './command-error.ts';
import { quoted } from './quoted.ts';
import { readWords } from './read-words.ts';
import { say } from './say.ts';

/** Puts the database of a backup where the service expects its own. */
export async function restore(words: readonly string[]): Promise<void> {
  const { positionals } = readWords(words, { usage: 'restore FILE', options: {}, files: 1 });
  const file = resolve(positionals[0] ?? '');
  const { databaseFile, postgresUrl, secretKeyBase } = readConfig(process.env);
  if (postgresUrl !== undefined)
    throw new CommandError(
      `PostgreSQL brings a backup back itself, into an empty database:\n\n  pg_restore --no-owner --dbname="$DATABASE_URL" ${quoted(file)}`,
    );
  try {
    restoreDatabase(file, resolve(databaseFile));
  } catch (cause) {
    if (cause instanceof RestoreError) throw new CommandError(cause.message, { cause });
    throw cause;
  }
  say(`${databaseFile} is the database of ${file}.`);
  const secret = `${databaseFile}.secret-key-base`;
  if (secretKeyBase === undefined && !existsSync(secret))
    say(
      `Before the service starts, put the file ending in .secret-key-base of then at ${secret}, or set SECRET_KEY_BASE.`,
    );
}
