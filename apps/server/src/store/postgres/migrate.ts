import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Tables } from '../tables.ts';
import { up as initial } from './migrations/0001-initial.ts';
import { up as sessionCommands } from './migrations/0002-session-commands.ts';
import { up as turns } from './migrations/0003-turns.ts';
import { up as knowledge } from './migrations/0004-knowledge.ts';
import { up as members } from './migrations/0005-members.ts';
import { up as keyUse } from './migrations/0006-key-use.ts';
import { up as usage } from './migrations/0007-usage.ts';
import { up as revisions } from './migrations/0008-revisions.ts';
import { up as openQuestions } from './migrations/0009-open-questions.ts';
import { up as turnsPerMinute } from './migrations/0010-turns-per-minute.ts';
import type { SqlFunction } from './sql-function.ts';

/** Append-only: a migration that was ever released is never edited, renamed or reordered. */
const migrations = {
  '0001-initial': { up: initial },
  '0002-session-commands': { up: sessionCommands },
  '0003-turns': { up: turns },
  '0004-knowledge': { up: knowledge },
  '0005-members': { up: members },
  '0006-key-use': { up: keyUse },
  '0007-usage': { up: usage },
  '0008-revisions': { up: revisions },
  '0009-open-questions': { up: openQuestions },
  '0010-turns-per-minute': { up: turnsPerMinute },
};

/** What a process waits for another that brings the schema up to date. */
const lockTimeoutMs = 60_000;
const connectTimeoutMs = 5_000;

/**
 * Brings the schema up to date and defines the functions that are not there yet. Several processes may start at once:
 * one works, the others wait for it. Functions of another version stay, since a process of it may still run.
 */
export async function migrate(url: string, functions: readonly SqlFunction[]): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
  });
  // A connection that is lost while idle fails the next query.
  pool.on('error', () => undefined);
  const queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
    await rejectNewer(migrator, queries);
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined)
      throw new Error('The database schema could not be brought up to date', { cause: error });
    await queries.transaction().execute((transaction) => define(transaction, functions));
  } finally {
    await queries.destroy();
  }
}

async function rejectNewer(migrator: Migrator, queries: Kysely<Tables>): Promise<void> {
  const known = new Set((await migrator.getMigrations()).map(({ name }) => name));
  const applied = await sql<{ name: string }>`SELECT name FROM kysely_migration`
    .execute(queries)
    .catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === undefinedTable) return { rows: [] };
      throw error;
    });
  const newer = applied.rows.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (newer.length > 0)
    throw new Error(
      `The database belongs to a newer version of this service: it has ${newer.join(', ')}, which this one does not know`,
    );
}

const undefinedTable = '42P01';

async function define(transaction: Transaction<Tables>, functions: readonly SqlFunction[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('define functions', 0))`.execute(transaction);
  const names = functions.map(({ name }) => name);
  const { rows } = await sql<{ name: string }>`
    SELECT proname AS name FROM pg_proc WHERE proname = ANY(${names}) AND pronamespace = current_schema()::regnamespace
  `.execute(transaction);
  const defined = new Set(rows.map(({ name }) => name));
  for (const { name, definition } of functions)
    if (!defined.has(name)) await sql.raw(definition).execute(transaction);
}
