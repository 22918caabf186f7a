import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Config, ConfigError } from '../../config.ts';
import { loadSecrets } from '../../crypto/load-secrets.ts';
import type { Finding } from './finding.ts';

const query = 'SELECT value FROM secret_check';
const busyMs = 5_000;

/** Whether the embedded database opens with the secret that is given, or lies beside it. A new database has no secret yet. */
export async function checkSecret(config: Config): Promise<Finding[]> {
  const written = config.postgresUrl === undefined ? readCheck(config.databaseFile) : null;
  if (written === null) return [];
  try {
    // Nothing is written: the check is there, and so is the secret, or it is missed.
    const secretCheck = { get: async () => written, set: async () => true };
    await loadSecrets(config, { secretCheck }, async () => undefined);
    return [{ text: 'The database opens with its secret.' }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ text: 'The database does not open: its secret is another one.', mend: error.message }];
  }
}

/** What the database was written under, as a digest; null where there is none, or none that can be read. */
function readCheck(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: busyMs });
    const value = database.prepare(query).get()?.['value'];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
