import type { DatabaseSync } from 'node:sqlite';
import type { ThreadChange } from '../inbox-store.ts';

interface Threads {
  /** Who answers in a session, as its commits say. Whoever takes it over looks after it from then on. */
  put(key: number, change: ThreadChange, now: number): void;
  /** In a session that is over nobody answers, nobody waits, and nothing is asked of anybody. */
  end(key: number): void;
}

export function prepareThreads(connection: DatabaseSync): Threads {
  const isTakenOver = 'excluded.holder_id IS NOT NULL AND excluded.holder_id IS NOT holder_id';
  const put = connection.prepare(`
    INSERT INTO threads
      (session, holder_id, holder_name, assignee_id, assignee_name, waiting_since, changed_at, asked_of_id)
    VALUES (?1, ?2, ?3, ?2, ?3, iif(?4, ?5, NULL), ?5, ?6)
    ON CONFLICT (session) DO UPDATE SET holder_id = excluded.holder_id, holder_name = excluded.holder_name,
      assignee_id = iif(${isTakenOver}, excluded.assignee_id, assignee_id),
      assignee_name = iif(${isTakenOver}, excluded.assignee_name, assignee_name),
      waiting_since = iif(?4, coalesce(waiting_since, ?5), NULL), changed_at = ?5,
      asked_of_id = ?6`);
  const dropDelegates = connection.prepare('DELETE FROM thread_delegates WHERE session = ?');
  const addDelegate = connection.prepare('INSERT INTO thread_delegates (session, member_id) VALUES (?, ?)');
  const end = connection.prepare(`
    UPDATE threads SET holder_id = NULL, holder_name = NULL, waiting_since = NULL, asked_of_id = NULL
    WHERE session = ?`);
  return {
    put(key, { holder, isWaiting, askedOf = [] }, now) {
      put.run(key, holder?.id ?? null, holder?.name ?? null, isWaiting ? 1 : 0, now, askedOf[0] ?? null);
      dropDelegates.run(key);
      for (const memberId of askedOf) addDelegate.run(key, memberId);
    },
    end(key) {
      end.run(key);
      dropDelegates.run(key);
    },
  };
}
