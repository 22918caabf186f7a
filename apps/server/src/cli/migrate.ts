import { readConfig } from '../config.ts';
import { openStore } from '../store/open-store.ts';
import { readWords } from './read-words.ts';
import { say } from './say.ts';

/** Brings the schema up to date, as a start of the service does: for an upgrade that wants it done before. */
export async function migrate(words: readonly string[]): Promise<void> {
  readWords(words, { usage: 'migrate', options: {}, files: 0 });
  const config = readConfig(process.env);
  const store = await openStore(config, (_details, message) => say(message));
  await store.close();
  say(
    `${config.postgresUrl === undefined ? config.databaseFile : 'The PostgreSQL database'} has the schema of this version.`,
  );
}
