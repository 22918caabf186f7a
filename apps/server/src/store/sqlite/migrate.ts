import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { up as initial } from './migrations/0001-initial.ts';
import { up as visitors } from './migrations/0002-visitors.ts';
import { up as secretCheck } from './migrations/0003-secret-check.ts';
import { up as wake } from './migrations/0004-wake.ts';
import { up as limits } from './migrations/0005-limits.ts';
import { up as uploads } from './migrations/0006-uploads.ts';
import { up as conversationScope } from './migrations/0007-conversation-scope.ts';
import { up as history } from './migrations/0008-history.ts';
import { up as store } from './migrations/0009-store.ts';
import { up as turn } from './migrations/0010-turn.ts';
import { up as sessionCommands } from './migrations/0011-session-commands.ts';
import { up as turns } from './migrations/0012-turns.ts';
import { up as knowledge } from './migrations/0013-knowledge.ts';
import { up as members } from './migrations/0014-members.ts';
import { up as keyUse } from './migrations/0015-key-use.ts';
import { up as termIndex } from './migrations/0016-term-index.ts';
import { up as usage } from './migrations/0017-usage.ts';
import { up as revisions } from './migrations/0018-revisions.ts';
import { up as openQuestions } from './migrations/0019-open-questions.ts';
import { up as turnsPerMinute } from './migrations/0020-turns-per-minute.ts';
import type { Tables } from '../tables.ts';

/** Append-only: a migration that was ever released is never edited, renamed or reordered. */
const migrations = {
  '0001-initial': { up: initial },
  '0002-visitors': { up: visitors },
  '0003-secret-check': { up: secretCheck },
  '0004-wake': { up: wake },
  '0005-limits': { up: limits },
  '0006-uploads': { up: uploads },
  '0007-conversation-scope': { up: conversationScope },
  '0008-history': { up: history },
  '0009-store': { up: store },
  '0010-turn': { up: turn },
  '0011-session-commands': { up: sessionCommands },
  '0012-turns': { up: turns },
  '0013-knowledge': { up: knowledge },
  '0014-members': { up: members },
  '0015-key-use': { up: keyUse },
  '0016-term-index': { up: termIndex },
  '0017-usage': { up: usage },
  '0018-revisions': { up: revisions },
  '0019-open-questions': { up: openQuestions },
  '0020-turns-per-minute': { up: turnsPerMinute },
};

export const migrationNames: readonly string[] = Object.keys(migrations);

export async function migrate(queries: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw new Error('The database schema could not be brought up to date', { cause: error });
}
