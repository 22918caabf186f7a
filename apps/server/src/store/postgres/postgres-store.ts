import type { Clock } from '../clock.ts';
import { createAppointments } from '../create-appointments.ts';
import { createCommands } from '../create-commands.ts';
import { createContacts } from '../create-contacts.ts';
import { createConversations } from '../create-conversations.ts';
import { createContextWindows } from '../create-context-windows.ts';
import { createFeedback } from '../create-feedback.ts';
import { createFoundConversations } from '../create-found-conversations.ts';
import { createInbox } from '../create-inbox.ts';
import { createMessages } from '../create-messages.ts';
import { createPresence } from '../create-presence.ts';
import { createQuestions } from '../create-questions.ts';
import { createSettings } from '../create-settings.ts';
import { createSourceClaims } from '../create-source-claims.ts';
import { createSourcePages } from '../create-source-pages.ts';
import { createTurns } from '../create-turns.ts';
import { createUsage } from '../create-usage.ts';
import { createVectors } from '../create-vectors.ts';
import { createVisitors } from '../create-visitors.ts';
import { createApprovalMails } from '../create-approval-mails.ts';
import { createReadyMails } from '../create-ready-mails.ts';
import { createTransfers } from '../create-transfers.ts';
import { createWebhooks } from '../create-webhooks.ts';
import type { Store } from '../store.ts';
import { commitFunction, endFunction, prepareAppends } from './append.ts';
import { clockFunction } from './clock.ts';
import { prepareCommands, sendCommandFunction } from './commands.ts';
import { forgetToldFunction, prepareContactRemoval } from './contact-removal.ts';
import { openDatabase } from './database.ts';
import { enqueueFunction, prepareEnqueue } from './enqueue.ts';
import { prepareEvents } from './events.ts';
import { fileBytesFunction } from './file-binding.ts';
import { appendFileFunction, beginFileFunction, expireFilesFunction, prepareFiles } from './files.ts';
import { prepareHistory } from './history.ts';
import { countTermsFunction, findPassagesFunction, prepareKnowledge, savePageFunction } from './knowledge.ts';
import { prepareLeases, releaseFunction } from './lease.ts';
import { prepareMessages } from './messages.ts';
import { migrate } from './migrate.ts';
import { postgresQueryEngine } from './query-engine.ts';
import { prepareQueue } from './queue.ts';
import { quotaFunction, recordQuotasFunction } from './quotas.ts';
import { lockScopesFunction, rateLimitFunction, recordAdmissionsFunction } from './rate-limits.ts';
import { countQuotasFunction, giveBackFunction, prepareLimits, usedFunction } from './reservations.ts';
import { rejectUnfinishedMove } from './reject-unfinished-move.ts';
import { hideFunction, prepareRemoval } from './session-removal.ts';
import { prepareSessions } from './sessions.ts';
import { prepareVectors } from './vectors.ts';

/** Each after those it calls. */
const functions = [
  clockFunction,
  giveBackFunction,
  usedFunction,
  lockScopesFunction,
  rateLimitFunction,
  recordAdmissionsFunction,
  quotaFunction,
  recordQuotasFunction,
  countQuotasFunction,
  fileBytesFunction,
  enqueueFunction,
  commitFunction,
  endFunction,
  releaseFunction,
  sendCommandFunction,
  beginFileFunction,
  appendFileFunction,
  expireFilesFunction,
  hideFunction,
  forgetToldFunction,
  savePageFunction,
  countTermsFunction,
  findPassagesFunction,
];

interface Options {
  /** `postgres://user:password@host/database`. Any number of processes may use the same one. */
  readonly url: string;
  /** For what an operator should know although no request has failed. */
  readonly warn?: (details: object, message: string) => void;
  /** The server's own clock, unless a test has another. */
  readonly clock?: Clock;
}

/** Brings the schema up to date first, and rejects one of a newer version and a database that is moved in part. */
export async function openPostgresStore({ url, warn = () => {}, clock }: Options): Promise<Store> {
  await rejectUnfinishedMove(url);
  await migrate(url, functions);
  const database = openDatabase(url, clock ?? null);
  const { query } = database;
  const engine = postgresQueryEngine(database);
  const { acquiring, leases } = prepareLeases(database);
  const files = prepareFiles(database);
  const removal = prepareRemoval(database, files);
  removal
    .finish(Infinity)
    .catch((err: unknown) =>
      warn({ err }, 'removed sessions could not be erased; the next sweep tries again'),
    );

  return {
    settings: createSettings(engine, (tenantId) => removal.removeOfTenant(tenantId)),
    files,
    knowledge: {
      ...prepareKnowledge(database),
      ...createSourceClaims(engine),
      ...createSourcePages(engine),
      ...createVectors(engine),
      ...prepareVectors(database),
    },
    ...leases,
    ...prepareEnqueue(database, acquiring),
    ...prepareQueue(database),
    ...prepareAppends(database),
    ...prepareEvents(database),
    ...prepareSessions(database),
    ...prepareHistory(database),
    ...prepareLimits(database),
    ...createContextWindows(engine),
    ...createTurns(engine),
    ...createConversations(engine),
    ...createFoundConversations(engine),
    ...createUsage(engine),
    ...createVisitors(engine),
    ...createFeedback(engine),
    ...createQuestions(engine),
    ...createInbox(engine),
    ...createPresence(engine),
    ...createMessages(engine),
    ...prepareMessages(database),
    ...createAppointments(engine),
    ...createContacts(engine),
    ...prepareContactRemoval(engine),
    ...createApprovalMails(engine),
    ...createTransfers(engine),
    ...createReadyMails(engine),
    ...createWebhooks(engine),
    ...createCommands(engine),
    ...prepareCommands(database),
    removeSession: (...asked) => removal.remove(...asked),
    finishRemovals: (maxMs) => removal.finish(maxMs),
    async deleteIdempotencyKey(scope, result) {
      await query('DELETE FROM idempotency WHERE scope = $1 AND result = $2', [
        scope,
        JSON.stringify(result ?? null),
      ]);
    },
    async ping() {
      await query(
        `INSERT INTO health_probe (key, probes) VALUES (1, 1) ON CONFLICT (key) DO UPDATE SET probes = health_probe.probes + 1`,
        [],
      );
    },
    close: () => database.close(),
  };
}
