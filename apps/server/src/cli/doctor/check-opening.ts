import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../config.ts';
import { loadSecrets } from '../../crypto/load-secrets.ts';
import { startProblem } from '../../start-problem.ts';
import { rejectUnfinishedMove } from '../../store/postgres/reject-unfinished-move.ts';
import { migrations } from '../../store/postgres/migrate.ts';
import { rejectNewer } from '../../store/schema-error.ts';
import { migrationNames } from '../../store/sqlite/migrate.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Finding } from './finding.ts';

const applied = 'SELECT name FROM kysely_migration';
const secret = 'SELECT value FROM secret_check';
const waitMs = 5_000;

/** Whether a start can open the database that is there: of a version that this one knows, and with its secret. It writes nothing. */
export async function checkOpening(config: Config): Promise<Finding[]> {
  try {
    const written =
      config.postgresUrl === undefined
        ? readFile(config.databaseFile)
        : await readPostgres(config.postgresUrl);
    if (written === null) return [];
    // Nothing is written: the check is there, and so is the secret, or it is missed.
    const secretCheck = { get: async () => written, set: async () => true };
    await loadSecrets(config, { secretCheck }, async () => undefined);
    return [{ text: 'The database opens with its secret.' }];
  } catch (error) {
    const mend = startProblem(error) ?? (error instanceof Error ? error.message : String(error));
    return [{ text: 'The database does not open.', mend }];
  }
}

/** What the embedded database was written under, as a digest; null where there is none yet. */
function readFile(file: string): string | null {
  if (!existsSync(file)) return null;
  // As a start does, which SQLite would not tell from a folder.
  closeSync(openSync(file, 'r+'));
  using database = new DatabaseSync(file, { readOnly: true, timeout: waitMs });
  const has = (table: string) =>
    database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  const names = has('kysely_migration') ? database.prepare(applied).all() : [];
  rejectNewer(
    names.map(({ name }) => String(name)),
    migrationNames,
  );
  return has('secret_check') ? textOf(database.prepare(secret).get()) : null;
}

async function readPostgres(url: string): Promise<string | null> {
  // `checkDatabase` says that it does not answer.
  const client = await connectPostgres(url).catch(() => null);
  if (client === null) return null;
  try {
    await rejectUnfinishedMove(url);
    const has = async (table: string) =>
      (await client.query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [table])).rows.length > 0;
    if (!(await has('kysely_migration'))) return null;
    const names = await client.query<{ name: string }>(applied);
    rejectNewer(
      names.rows.map(({ name }) => name),
      Object.keys(migrations),
    );
    return (await has('secret_check')) ? textOf((await client.query(secret)).rows[0]) : null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function textOf(row: { readonly value?: unknown } | undefined): string | null {
  return typeof row?.value === 'string' ? row.value : null;
}
