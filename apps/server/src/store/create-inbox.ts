import { type RawBuilder, sql } from 'kysely';
import { auditEntry } from './create-audit.ts';
import {
  automationId,
  type InboxStore,
  type ThreadMember,
  type ThreadNote,
  type ThreadRecord,
} from './inbox-store.ts';
import type { QueryEngine, Row } from './query-engine.ts';

/** Whether something is asked of them there. */
const asksOf = (memberId: string) => sql`
  waiting_since IS NOT NULL
  AND threads.session IN (SELECT session FROM thread_delegates WHERE member_id = ${memberId})`;

const columns = (asked = sql`asked_of_id`) => sql`
  sessions.id AS "sessionId", holder_id AS "holderId", holder_name AS "holderName", assignee_id AS "assigneeId",
  assignee_name AS "assigneeName",
  (SELECT id FROM members WHERE members.id = ${asked} AND role <> 'viewer') AS "askedOfId",
  (SELECT name FROM members WHERE members.id = ${asked}) AS "askedOfName",
  (SELECT string_agg(members.id, ',') FROM thread_delegates JOIN members ON members.id = member_id
    WHERE thread_delegates.session = threads.session AND role <> 'viewer') AS "askedOfIds",
  waiting_since AS "waitingSince", changed_at AS "changedAt", threads.session AS key,
  (SELECT count(*) FROM thread_notes WHERE thread_notes.session = threads.session) AS notes`;

/** Whom threads name there who is no member any more, or may only look: of everybody named one look into an index. */
const former = (column: 'assignee_id' | 'holder_id') => {
  const next = (after: RawBuilder<unknown>) =>
    sql`SELECT min(${sql.ref(column)}) FROM threads WHERE ${sql.ref(column)} > ${after}`;
  return sql`
    WITH RECURSIVE named (id) AS (
      ${next(sql`''`)} UNION ALL SELECT (${next(sql`named.id`)}) FROM named WHERE id IS NOT NULL
    )
    SELECT id FROM named
    WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM members WHERE members.id = named.id AND role <> 'viewer')`;
};

export function createInbox({ queries, read, write, erase, now, locked }: QueryEngine): InboxStore {
  const keyOf = (sessionId: string) =>
    sql`(SELECT key FROM sessions WHERE id = ${sessionId} AND status <> 'removed')`;

  return {
    async listThreads({ agentIds, of, after, limit }) {
      if (agentIds.length === 0) return { items: [], next: null };
      const [at, key] = decodePlace(after);
      const isWaiting = of === 'waiting';
      const isOfAgents = sql`sessions.agent_id IN (${sql.join(agentIds)}) AND sessions.status = 'open'`;
      const latest = sql`
        ${after === null ? sql`` : sql`AND (changed_at, threads.session) < (${at}, ${key})`}
        ORDER BY changed_at DESC, threads.session DESC LIMIT ${limit + 1}`;
      const keysWhere = (is: RawBuilder<unknown>) => sql`
        SELECT session FROM (
          SELECT threads.session AS session FROM threads JOIN sessions ON sessions.key = threads.session
          WHERE ${isOfAgents} AND ${is} ${latest}) AS found`;
      const rows = await read(
        (isWaiting
          ? sql`
              SELECT ${columns()} FROM threads JOIN sessions ON sessions.key = threads.session
              WHERE ${isOfAgents} AND waiting_since IS NOT NULL
                ${after === null ? sql`` : sql`AND (waiting_since, threads.session) > (${at}, ${key})`}
              ORDER BY waiting_since, threads.session LIMIT ${limit + 1}`
          : sql`
              SELECT ${columns(sql`CASE WHEN ${asksOf(of.memberId)} THEN ${of.memberId} ELSE asked_of_id END`)}
              FROM threads JOIN sessions ON sessions.key = threads.session
              WHERE threads.session IN (
                ${keysWhere(sql`assignee_id = ${of.memberId}`)}
                UNION ${keysWhere(asksOf(of.memberId))}
              ) ORDER BY changed_at DESC, threads.session DESC LIMIT ${limit + 1}`
        ).compile(queries),
      );
      const last = rows[limit - 1];
      const place =
        last && `${String(last[isWaiting ? 'waitingSince' : 'changedAt'])}.${String(last['key'])}`;
      return {
        items: rows.slice(0, limit).map(thread),
        next: rows.length > limit && place !== undefined ? place : null,
      };
    },

    async listAbandonedThreads({ after, limit }) {
      const [, afterKey, afterHolder] = /^(\d{1,15})\.(.+)$/.exec(after ?? '') ?? [];
      const holders = await read(
        sql`
          ${former('holder_id')} AND id >= ${afterHolder ?? ''} AND id <> ${automationId} ORDER BY id
        `.compile(queries),
      );
      const ofSession = (column: 'id' | 'status') =>
        sql`(SELECT ${sql.ref(column)} FROM sessions WHERE sessions.key = threads.session)`;
      const found: Row[] = [];
      // One holder after the other, and each session by its key: a planner would rather read all conversations in order.
      for (const { id: holder } of holders) {
        if (found.length > limit) break;
        const rows = await read(
          sql`
            SELECT ${ofSession('id')} AS id, session AS key, holder_id AS holder FROM threads
            WHERE holder_id = ${holder} AND session > ${holder === afterHolder ? Number(afterKey) : 0}
              AND ${ofSession('status')} = 'open'
            ORDER BY session LIMIT ${limit + 1 - found.length}`.compile(queries),
        );
        found.push(...rows);
      }
      const last = found[limit - 1];
      return {
        items: found.slice(0, limit).map(({ id }) => String(id)),
        next: found.length > limit && last ? `${String(last['key'])}.${String(last['holder'])}` : null,
      };
    },

    async getThreads(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await read(
        sql`
          SELECT ${columns()} FROM threads JOIN sessions ON sessions.key = threads.session
          WHERE sessions.id IN (${sql.join(sessionIds)})`.compile(queries),
      );
      return rows.map(thread);
    },

    async assignThread(sessionId, assignee, change) {
      const rows = await write(
        sql`
          INSERT INTO threads (session, assignee_id, assignee_name, changed_at)
          SELECT key, ${assignee?.id ?? null}, ${assignee?.name ?? null}, ${now()} FROM sessions
          WHERE id = ${sessionId} AND status <> 'removed'
          ON CONFLICT (session) DO UPDATE SET assignee_id = excluded.assignee_id,
            assignee_name = excluded.assignee_name, changed_at = excluded.changed_at
          RETURNING session`.compile(queries),
        change && auditEntry(change),
      );
      return rows.length > 0;
    },

    async unassignFormerMembers(limit) {
      const rows = await write(
        sql`
          UPDATE threads SET assignee_id = NULL, assignee_name = NULL, changed_at = ${now()}
          WHERE session IN (
            SELECT session FROM threads WHERE assignee_id = (${former('assignee_id')} LIMIT 1)
            LIMIT ${limit} ${locked})
          RETURNING (SELECT id FROM sessions WHERE sessions.key = threads.session) AS id`.compile(queries),
      );
      return rows.map(({ id }) => String(id));
    },

    async addNote(sessionId, { id, author, text, at }, max) {
      const rows = await write(
        sql`
          INSERT INTO thread_notes (id, session, author_id, author_name, text, at)
          SELECT ${id}, key, ${author.id}, ${author.name}, ${text}, ${at} FROM sessions
          WHERE id = ${sessionId} AND status <> 'removed'
            AND (SELECT count(*) FROM thread_notes WHERE thread_notes.session = sessions.key) < ${max}
          RETURNING session`.compile(queries),
        (written) => sql`
          INSERT INTO threads (session, changed_at)
          SELECT key, ${now()} FROM sessions WHERE id = ${sessionId} AND status <> 'removed' AND ${written}
          ON CONFLICT (session) DO UPDATE SET changed_at = excluded.changed_at
          RETURNING session`,
      );
      if (rows.length > 0) return 'added';
      const found = await read(sql`SELECT key FROM sessions WHERE id = ${sessionId}`.compile(queries));
      return found.length > 0 ? 'full' : 'missing';
    },

    async listNotes(sessionId) {
      const rows = await read(
        sql`
          SELECT id, author_id AS "authorId", author_name AS "authorName", text, at FROM thread_notes
          WHERE session = ${keyOf(sessionId)} ORDER BY key`.compile(queries),
      );
      return rows.map((row): ThreadNote => ({
        id: String(row['id']),
        author: { id: String(row['authorId']), name: String(row['authorName']) },
        text: String(row['text']),
        at: Number(row['at']),
      }));
    },

    async removeNote(sessionId, id, change) {
      await erase(
        sql`DELETE FROM thread_notes WHERE session = ${keyOf(sessionId)} AND id = ${id} RETURNING key`.compile(
          queries,
        ),
        change && auditEntry(change),
      );
    },
  };
}

function decodePlace(after: string | null): readonly [number, number] {
  const [, at, key] = /^(\d{1,15})\.(\d{1,15})$/.exec(after ?? '') ?? [];
  return [Number(at ?? 0), Number(key ?? 0)];
}

function thread(row: Row): ThreadRecord {
  const waiting = row['waitingSince'] ?? null;
  return {
    sessionId: String(row['sessionId']),
    holder: member(row['holderId'], row['holderName']),
    assignee: member(row['assigneeId'], row['assigneeName']),
    waitingSince: waiting === null ? null : Number(waiting),
    // What wrote it may have been a process of the version before, which does not know of it.
    askedOf: waiting === null ? null : member(row['askedOfId'], row['askedOfName']),
    askedOfIds: waiting === null || row['askedOfIds'] == null ? [] : String(row['askedOfIds']).split(','),
    notes: Number(row['notes']),
  };
}

const member = (id: Row[string] | undefined, name: Row[string] | undefined): ThreadMember | null =>
  id == null ? null : { id: String(id), name: String(name) };
