import { type Kysely, sql } from 'kysely';
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
import { up as secondFactor } from './migrations/0021-second-factor.ts';
import { up as connections } from './migrations/0022-connections.ts';
import { up as inbox } from './migrations/0023-inbox.ts';
import { up as team } from './migrations/0024-team.ts';
import { up as passkeys } from './migrations/0025-passkeys.ts';
import { up as appointments } from './migrations/0026-appointments.ts';
import { up as contacts } from './migrations/0027-contacts.ts';
import { up as signIns } from './migrations/0028-sign-ins.ts';
import { up as messageSearch } from './migrations/0029-message-search.ts';
import { up as passageVectors } from './migrations/0030-passage-vectors.ts';
import { up as webhooks } from './migrations/0031-webhooks.ts';
import { up as deliveriesOfContacts } from './migrations/0032-deliveries-of-contacts.ts';
import { up as approvalMails } from './migrations/0033-approval-mails.ts';
import { up as sessionTransfers } from './migrations/0034-session-transfers.ts';
import { up as readyMails } from './migrations/0035-ready-mails.ts';
import { up as askedOf } from './migrations/0036-asked-of.ts';
import { up as tenantRevisions } from './migrations/0037-tenant-revisions.ts';
import { up as unansweredQuestions } from './migrations/0038-unanswered-questions.ts';
import { up as memberPictures } from './migrations/0039-member-pictures.ts';
import { up as presence } from './migrations/0040-presence.ts';
import { up as appointmentOwner } from './migrations/0041-appointment-owner.ts';
import { up as approvalMailEnd } from './migrations/0042-approval-mail-end.ts';
import { up as threadDelegates } from './migrations/0043-thread-delegates.ts';
import { up as contactErasures } from './migrations/0044-contact-erasures.ts';
import { up as forgottenParts } from './migrations/0045-forgotten-parts.ts';
import { up as removedTurns } from './migrations/0046-removed-turns.ts';
import { up as threadsOfHolder } from './migrations/0047-threads-of-holder.ts';
import { up as endedThreads } from './migrations/0048-ended-threads.ts';
import { up as unreadPages } from './migrations/0049-unread-pages.ts';
import { failedMigration, rejectNewer } from '../schema-error.ts';
import type { Tables } from '../tables.ts';
import { isEngineFailure, unavailable } from './engine-failure.ts';

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
  '0021-second-factor': { up: secondFactor },
  '0022-connections': { up: connections },
  '0023-inbox': { up: inbox },
  '0024-team': { up: team },
  '0025-passkeys': { up: passkeys },
  '0026-appointments': { up: appointments },
  '0027-contacts': { up: contacts },
  '0028-sign-ins': { up: signIns },
  '0029-message-search': { up: messageSearch },
  '0030-passage-vectors': { up: passageVectors },
  '0031-webhooks': { up: webhooks },
  '0032-deliveries-of-contacts': { up: deliveriesOfContacts },
  '0033-approval-mails': { up: approvalMails },
  '0034-session-transfers': { up: sessionTransfers },
  '0035-ready-mails': { up: readyMails },
  '0036-asked-of': { up: askedOf },
  '0037-tenant-revisions': { up: tenantRevisions },
  '0038-unanswered-questions': { up: unansweredQuestions },
  '0039-member-pictures': { up: memberPictures },
  '0040-presence': { up: presence },
  '0041-appointment-owner': { up: appointmentOwner },
  '0042-approval-mail-end': { up: approvalMailEnd },
  '0043-thread-delegates': { up: threadDelegates },
  '0044-contact-erasures': { up: contactErasures },
  '0045-forgotten-parts': { up: forgottenParts },
  '0046-removed-turns': { up: removedTurns },
  '0047-threads-of-holder': { up: threadsOfHolder },
  '0048-ended-threads': { up: endedThreads },
  '0049-unread-pages': { up: unreadPages },
};

export const migrationNames: readonly string[] = Object.keys(migrations);

export async function migrate(queries: Kysely<Tables>): Promise<void> {
  rejectNewer(await listApplied(queries), migrationNames);
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw isEngineFailure(error) ? unavailable(error) : failedMigration(error);
}

async function listApplied(queries: Kysely<Tables>): Promise<string[]> {
  const isThere = await sql`SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`.execute(queries);
  if (isThere.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(queries);
  return rows.map(({ name }) => name);
}
