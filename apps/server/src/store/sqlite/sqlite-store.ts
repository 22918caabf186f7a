import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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
import type { Lease } from '../lease-store.ts';
import type { Store } from '../store.ts';
import { prepareEnqueue } from './enqueue.ts';
import { prepareAppends } from './append.ts';
import { prepareCommands } from './commands.ts';
import { prepareContactRemoval } from './contact-removal.ts';
import { openDatabase, type Database } from './database.ts';
import { prepareEvents } from './events.ts';
import { prepareFiles } from './files.ts';
import { ownFile } from './file-owner.ts';
import { groupCommit } from './group-commit.ts';
import { prepareHistory } from './history.ts';
import { prepareIdempotency } from './idempotency.ts';
import { prepareKnowledge } from './knowledge.ts';
import { prepareLeases } from './lease.ts';
import { prepareMessages } from './messages.ts';
import { sqliteQueryEngine } from './query-engine.ts';
import { prepareQuotas } from './quotas.ts';
import { prepareRemoval } from './session-removal.ts';
import { prepareQueue } from './queue.ts';
import { prepareReservations } from './reservations.ts';
import { prepareSessions } from './sessions.ts';
import { tendTermIndex } from './term-index.ts';
import { prepareVectors } from './vectors.ts';

/** Leases that one transaction lets run out. */
const leasePage = 500;

/** For what an operator should know although no request has failed. */
type Warn = (details: object, message: string) => void;

interface Options {
  readonly warn?: Warn;
  /** Called once when nobody knows what reached the disk: the store answers nothing any more. */
  readonly onLost?: (error: Error) => void;
  /** The owner's own clock, unless a test has another. */
  readonly clock?: Clock;
}

const systemClock: Clock = () => Date.now();

/**
 * Opens the file, creating it and its folder when they are not there. One process at a time; a second one is rejected.
 * What was removed is in none of its files two seconds later, or two seconds after the last reader outside this process
 * that still sees it.
 */
export async function openSqliteStore({ path, ...options }: { path: string } & Options): Promise<Store> {
  const file = resolve(path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const owner = ownFile(file);
  try {
    const database = await openDatabase(file);
    // Whoever held them is gone: this process is the only one.
    const leases = prepareLeases(database.connection, systemClock);
    while (leases.expire(leasePage) === leasePage);
    database.connection.exec('UPDATE webhook_lanes SET held_until = 0 WHERE held_until > 0');
    const store = sqliteStore(database, options);
    return {
      ...store,
      async close() {
        await store.close();
        owner.release();
      },
    };
  } catch (error) {
    owner.release();
    throw error;
  }
}

export function sqliteStore(
  database: Database,
  { warn = () => {}, onLost = () => {}, clock = systemClock }: Options = {},
): Store {
  const { connection } = database;
  const commits = groupCommit(connection, {
    onFailure: (err) =>
      warn({ err }, 'the write-ahead log could not be copied into the database; trying again'),
    onHeld: (logBytes) =>
      warn(
        { logBytes },
        'another program has been reading the database for so long that its write-ahead log cannot be emptied',
      ),
    onSlow: () => warn({}, 'the disk has not taken what was written for 5 s; everybody who writes waits'),
    onLost,
  });
  const engine = sqliteQueryEngine(database, commits, clock);
  const accept = prepareEnqueue(connection, clock);
  const appends = prepareAppends(connection, clock);
  const leases = prepareLeases(connection, clock);
  const commands = prepareCommands(connection, clock);
  const idempotency = prepareIdempotency(connection);
  const reservations = prepareReservations(connection);
  const quotas = prepareQuotas(connection);
  const files = prepareFiles(connection, commits, clock);
  const messageIndex = tendTermIndex(connection, 'message_terms', commits, (err) =>
    warn({ err }, 'words of removed messages could not be erased; the next removal tries again'),
  );
  const removal = prepareRemoval(connection, commits, clock, { files, reservations, messageIndex });
  removal
    .finish(Infinity)
    .catch((err: unknown) =>
      warn({ err }, 'removed sessions could not be erased; the next sweep tries again'),
    );
  const termIndex = tendTermIndex(connection, 'passage_terms', commits, (err) =>
    warn({ err }, 'terms of removed passages could not be erased; the next removal tries again'),
  );
  const keyOf = connection.prepare('SELECT key FROM sessions WHERE id = ?');
  const beat = connection.prepare(`
    INSERT INTO pulse (key, beats) VALUES (1, 1) ON CONFLICT DO UPDATE SET beats = beats + 1`);

  /** 0, which no session has, when there is none. */
  function key(sessionId: string): number {
    return Number(keyOf.get(sessionId)?.['key'] ?? 0);
  }

  function release(lease: Lease): boolean {
    const session = key(lease.sessionId);
    const held = reservations.heldBy(session);
    const released = leases.release(lease);
    if (released && held) reservations.settle(session, held, [], { released, now: clock() });
    return released;
  }

  return {
    settings: createSettings(engine, (tenantId) => removal.removeOfTenant(tenantId)),
    files,
    knowledge: {
      ...prepareKnowledge(connection, commits, termIndex),
      ...createSourceClaims(engine),
      ...createSourcePages(engine),
      ...createVectors(engine),
      ...prepareVectors(connection, commits),
    },
    ...prepareSessions(connection, commits, clock),
    ...prepareEvents(connection, commits),
    ...prepareQueue(connection),
    ...prepareHistory(connection),
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
    ...prepareMessages(connection, commits, messageIndex),
    ...createAppointments(engine),
    ...createContacts(engine),
    ...prepareContactRemoval(engine),
    ...createApprovalMails(engine),
    ...createTransfers(engine),
    ...createReadyMails(engine),
    ...createWebhooks(engine),
    ...createCommands(engine),
    enqueue: async (acceptance) =>
      commits.write(accept(acceptance), (accepted) => {
        if (accepted.outcome === 'accepted' && accepted.leased) acceptance.onLeased?.(accepted.leased);
      }),
    sendCommand: async (sessionId, command) => commits.write(commands.send(sessionId, command)),
    acquireLease: (sessionId, lease) => commits.write(() => leases.acquire(sessionId, lease)),
    listRunnable: async (query) => leases.listRunnable(query),
    renewLeases: (request) => commits.write(() => leases.renew(request)),
    commit: async (lease, commit) => commits.write(appends.commit(lease, commit)),
    releaseLease: (lease) => commits.write(() => release(lease)),
    abandonLease: (lease) => commits.write(() => leases.abandon(lease)),
    endSession: async (sessionId, change) => commits.write(appends.end(sessionId, change)),
    removeSession: (...asked) => removal.remove(...asked),
    finishRemovals: (maxMs) => removal.finish(maxMs),
    countQuotas: (counted) =>
      commits.write(() => {
        const now = clock();
        const limited = quotas.rejection(counted, now);
        if (limited === null) quotas.record(counted, now);
        return limited;
      }),
    readQuota: async (sessionId, meter) =>
      reservations.used(reservations.heldBy(key(sessionId)), meter, clock()),
    deleteIdempotencyKey: (scope, result) =>
      commits.write(() => idempotency.forget(scope, JSON.stringify(result ?? null))),
    ping: () => commits.write(() => void beat.run()),
    async close() {
      termIndex.close();
      messageIndex.close();
      const isWhole = await commits.close();
      if (isWhole && connection.isOpen) connection.close();
    },
  };
}
