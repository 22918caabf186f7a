import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { up as initial } from './migrations/0001-initial.ts';
import { up as visitors } from './migrations/0002-visitors.ts';
import { up as secretCheck } from './migrations/0003-secret-check.ts';
import { up as wake } from './migrations/0004-wake.ts';
import { up as limits } from './migrations/0005-limits.ts';
import type { Tables } from './tables.ts';

/** Append-only: a migration that was ever released is never edited, renamed or reordered. */
const migrations = {
  '0001-initial': { up: initial },
  '0002-visitors': { up: visitors },
  '0003-secret-check': { up: secretCheck },
  '0004-wake': { up: wake },
  '0005-limits': { up: limits },
};

export async function migrate(queries: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw new Error('The database schema could not be brought up to date', { cause: error });
}
