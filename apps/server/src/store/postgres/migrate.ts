import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { failedMigration, rejectNewer, SchemaError } from '../schema-error.ts';
import type { Tables } from '../tables.ts';
import { isEngineFailure, unavailable } from './engine-failure.ts';
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
import { up as secondFactor } from './migrations/0011-second-factor.ts';
import { up as connections } from './migrations/0012-connections.ts';
import { up as inbox } from './migrations/0013-inbox.ts';
import { up as team } from './migrations/0014-team.ts';
import { up as passkeys } from './migrations/0015-passkeys.ts';
import { up as appointments } from './migrations/0016-appointments.ts';
import { up as contacts } from './migrations/0017-contacts.ts';
import { up as signIns } from './migrations/0018-sign-ins.ts';
import { up as messageSearch } from './migrations/0019-message-search.ts';
import { up as passageVectors } from './migrations/0020-passage-vectors.ts';
import { up as webhooks } from './migrations/0021-webhooks.ts';
import { up as deliveriesOfContacts } from './migrations/0022-deliveries-of-contacts.ts';
import { up as approvalMails } from './migrations/0023-approval-mails.ts';
import { up as sessionTransfers } from './migrations/0024-session-transfers.ts';
import { up as readyMails } from './migrations/0025-ready-mails.ts';
import { up as narrowPassages } from './migrations/0026-narrow-passages.ts';
import { up as askedOf } from './migrations/0027-asked-of.ts';
import { up as tenantRevisions } from './migrations/0028-tenant-revisions.ts';
import { up as unansweredQuestions } from './migrations/0029-unanswered-questions.ts';
import { up as memberPictures } from './migrations/0030-member-pictures.ts';
import { up as presence } from './migrations/0031-presence.ts';
import { up as appointmentOwner } from './migrations/0032-appointment-owner.ts';
import { up as approvalMailEnd } from './migrations/0033-approval-mail-end.ts';
import { up as threadDelegates } from './migrations/0034-thread-delegates.ts';
import { up as passagePendingList } from './migrations/0035-passage-pending-list.ts';
import { up as contactErasures } from './migrations/0036-contact-erasures.ts';
import { up as passagePendingMegabyte } from './migrations/0037-passage-pending-megabyte.ts';
import { up as passageDigests } from './migrations/0038-passage-digests.ts';
import { up as digestedPassages } from './migrations/0039-digested-passages.ts';
import { up as forgottenParts } from './migrations/0040-forgotten-parts.ts';
import { up as removedTurns } from './migrations/0041-removed-turns.ts';
import { up as endedThreads } from './migrations/0042-ended-threads.ts';
import { up as threadsOfHolder } from './migrations/0043-threads-of-holder.ts';
import { up as unreadPages } from './migrations/0044-unread-pages.ts';
import type { SqlFunction } from './sql-function.ts';

/** Append-only: a migration that was ever released is never edited, renamed or reordered. */
export const migrations = {
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
  '0011-second-factor': { up: secondFactor },
  '0012-connections': { up: connections },
  '0013-inbox': { up: inbox },
  '0014-team': { up: team },
  '0015-passkeys': { up: passkeys },
  '0016-appointments': { up: appointments },
  '0017-contacts': { up: contacts },
  '0018-sign-ins': { up: signIns },
  '0019-message-search': { up: messageSearch },
  '0020-passage-vectors': { up: passageVectors },
  '0021-webhooks': { up: webhooks },
  '0022-deliveries-of-contacts': { up: deliveriesOfContacts },
  '0023-approval-mails': { up: approvalMails },
  '0024-session-transfers': { up: sessionTransfers },
  '0025-ready-mails': { up: readyMails },
  '0026-narrow-passages': { up: narrowPassages },
  '0027-asked-of': { up: askedOf },
  '0028-tenant-revisions': { up: tenantRevisions },
  '0029-unanswered-questions': { up: unansweredQuestions },
  '0030-member-pictures': { up: memberPictures },
  '0031-presence': { up: presence },
  '0032-appointment-owner': { up: appointmentOwner },
  '0033-approval-mail-end': { up: approvalMailEnd },
  '0034-thread-delegates': { up: threadDelegates },
  '0035-passage-pending-list': { up: passagePendingList },
  '0036-contact-erasures': { up: contactErasures },
  '0037-passage-pending-megabyte': { up: passagePendingMegabyte },
  '0038-passage-digests': { up: passageDigests },
  '0039-digested-passages': { up: digestedPassages },
  '0040-forgotten-parts': { up: forgottenParts },
  '0041-removed-turns': { up: removedTurns },
  '0042-ended-threads': { up: endedThreads },
  '0043-threads-of-holder': { up: threadsOfHolder },
  '0044-unread-pages': { up: unreadPages },
};

/** What a process waits for another that brings the schema up to date, and for whoever uses a table that is changed. */
const maxWaitMs = 60_000;
/**
 * Behind a change that waits for a table, as for a backup that reads it, whoever uses that table waits, too. An autovacuum
 * is sent away after `deadlock_timeout`, 1 s unless somebody has set it, which therefore has to come first.
 */
const tableLockTimeoutMs = 1_500;
/** What waited behind a change that gave up is done meanwhile. */
const pauseMs = 1_000;
const connectTimeoutMs = 5_000;

/**
 * Brings the schema up to date and defines the functions that are not there yet. Several processes may start at once:
 * one works, the others wait for it. Functions of another version stay, since a process of it may still run.
 * Rejects with `StoreUnavailableError` when the server could not be reached or could not work.
 */
export async function migrate(url: string, functions: readonly SqlFunction[]): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: tableLockTimeoutMs,
  });
  // A connection that is lost while idle fails the next query, and in use the one that waits for it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    const applied = await listApplied(queries);
    rejectNewer(applied, Object.keys(migrations));
    // Nearly every start finds all of it there, and waits for no lock.
    if (
      applied.length === Object.keys(migrations).length &&
      (await undefinedOf(queries, functions)).length === 0
    )
      return;
    await migrateToLatest(queries);
    await queries.transaction().execute((transaction) => define(transaction, functions));
  } catch (error) {
    throw error instanceof SchemaError || !isEngineFailure(error) ? error : unavailable(error);
  } finally {
    await queries.destroy();
  }
}

/**
 * All of what is missing in one transaction, or nothing: no version starts in a schema that has migrations which it does not
 * know, so of a half of them the version before would not start, and this one neither where another half fails. Where a
 * table is in use it is tried again.
 */
async function migrateToLatest(queries: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const end = performance.now() + maxWaitMs;
  for (;;) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    if (!isInUse(error) || performance.now() > end)
      // Its operator mends that, or it is over by the next start: no other version would do better.
      throw hasCode(error, insufficientPrivilege) || isEngineFailure(error) ? error : failedMigration(error);
    await setTimeout(pauseMs);
  }
}

async function listApplied(queries: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`
    .execute(queries)
    .catch((error: unknown) => {
      if (hasCode(error, undefinedTable)) return { rows: [] };
      throw error;
    });
  return rows.map(({ name }) => name);
}

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/** Somebody writes what is changed, perhaps after rows that a migration before has changed in the same transaction. */
const isInUse = (error: unknown) => hasCode(error, lockNotAvailable) || hasCode(error, deadlockDetected);

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

async function define(transaction: Transaction<Tables>, functions: readonly SqlFunction[]): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${String(maxWaitMs)}, true)`.execute(transaction);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('define functions', 0))`.execute(transaction);
  for (const { definition } of await undefinedOf(transaction, functions))
    await sql.raw(definition).execute(transaction);
}

/** Those that are not defined, in their order. */
async function undefinedOf(
  queries: Kysely<Tables>,
  functions: readonly SqlFunction[],
): Promise<readonly SqlFunction[]> {
  const names = functions.map(({ name }) => name);
  const { rows } = await sql<{ name: string }>`
    SELECT proname AS name FROM pg_proc WHERE proname = ANY(${names}) AND pronamespace = current_schema()::regnamespace
  `.execute(queries);
  const defined = new Set(rows.map(({ name }) => name));
  return functions.filter(({ name }) => !defined.has(name));
}
