import type { DatabaseSync } from 'node:sqlite';
import type { IdempotencyKey } from '../idempotency-store.ts';
import type { EnqueueResult } from '../queue-store.ts';

export interface Idempotency {
  /** What an earlier request of the same scope makes of this one; null when there was none in time. */
  find(key: IdempotencyKey, now: number): Extract<EnqueueResult, { outcome: 'repeated' | 'conflict' }> | null;
  record(session: number, key: IdempotencyKey, answer: string, now: number): void;
  forget(scope: string, answer: string): void;
}

export function prepareIdempotency(connection: DatabaseSync): Idempotency {
  const find = connection.prepare(
    `SELECT request, answer FROM idempotency JOIN sessions ON sessions.key = idempotency.session
    WHERE scope = ? AND expires_at > ? AND sessions.status <> 'removed'`,
  );
  const prune = connection.prepare(`
    DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE expires_at <= ? LIMIT 100)`);
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO idempotency (scope, session, request, answer, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const forget = connection.prepare('DELETE FROM idempotency WHERE scope = ? AND answer = ?');

  return {
    find({ scope, request }, now) {
      const earlier = find.get(scope, now);
      if (earlier === undefined) return null;
      if (earlier['request'] !== request) return { outcome: 'conflict' };
      return { outcome: 'repeated', result: JSON.parse(String(earlier['answer'])) };
    },
    record(session, { scope, request, ttlMs }, answer, now) {
      prune.run(now);
      insert.run(scope, session, request, answer, now + ttlMs);
    },
    forget: (scope, answer) => void forget.run(scope, answer),
  };
}
