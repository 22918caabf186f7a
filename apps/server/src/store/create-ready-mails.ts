import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { QueryEngine, Row } from './query-engine.ts';
import type { ReadyMailStore, StoredReadyMail } from './ready-mail-store.ts';
import { wholeNumber } from './whole-number.ts';

/** Rows that one claim looks at. A tenant with more that are due hides others until it is in `exceptTenants`. */
const maxLookedAt = 1_000;

export function createReadyMails({ queries, read, write, erase, now }: QueryEngine): ReadyMailStore {
  return {
    async saveReadyMail(sessionId, { sequence, address, language, origin }, ttlMs) {
      const saved = sql`
        INSERT INTO ready_mails
          (session, id, sequence, address, language, origin, asked_at, due_at, expires_at, attempts)
        SELECT key, ${randomUUID()}, ${wholeNumber(sequence)}, ${address}, ${language}, ${origin}, ${now()}, ${now()},
          ${now()} + ${wholeNumber(ttlMs)}, 0
        FROM sessions WHERE id = ${sessionId} AND status <> 'removed'
        ON CONFLICT (session) DO UPDATE SET id = excluded.id, sequence = excluded.sequence,
          address = excluded.address, language = excluded.language, origin = excluded.origin,
          asked_at = excluded.asked_at, due_at = excluded.due_at, expires_at = excluded.expires_at, attempts = 0
        RETURNING session`;
      return (await write(saved.compile(queries))).length > 0;
    },

    async claimReadyMails({ leaseMs, limit, exceptTenants }) {
      const others =
        exceptTenants.length > 0 ? sql`AND sessions.tenant_id NOT IN (${sql.join(exceptTenants)})` : sql``;
      const due = sql`
        SELECT session FROM (
          SELECT session, "dueAt", row_number() OVER (PARTITION BY "tenantId" ORDER BY "dueAt", session) AS place FROM (
            SELECT session, ready_mails.due_at AS "dueAt", sessions.tenant_id AS "tenantId"
            FROM ready_mails JOIN sessions ON sessions.key = ready_mails.session
            WHERE ready_mails.due_at <= ${now()} AND sessions.status <> 'removed' ${others}
            ORDER BY ready_mails.due_at LIMIT ${maxLookedAt}) AS due) AS placed
        WHERE place = 1 ORDER BY "dueAt" LIMIT ${limit}`;
      const found = await read(due.compile(queries));
      if (found.length === 0) return [];
      const keys = sql.join(found.map(({ session }) => wholeNumber(Number(session))));
      // Asked again: of two who found the same one, the second sees here that it is not due any more.
      const claim = sql`
        UPDATE ready_mails SET due_at = ${now()} + ${wholeNumber(leaseMs)}
        WHERE session IN (${keys}) AND due_at <= ${now()}
        RETURNING id, (SELECT id FROM sessions WHERE sessions.key = ready_mails.session) AS "sessionId",
          (SELECT tenant_id FROM sessions WHERE sessions.key = ready_mails.session) AS "tenantId",
          sequence, address, language, origin, attempts, asked_at AS "askedAt", expires_at AS "expiresAt"`;
      return (await write(claim.compile(queries))).map(decoded);
    },

    async postponeReadyMail(id, dueInMs) {
      const postpone = sql`
        UPDATE ready_mails SET due_at = ${now()} + ${wholeNumber(dueInMs)}
        WHERE id = ${id} AND due_at IS NOT NULL RETURNING session`;
      await write(postpone.compile(queries));
    },

    async takeReadyMail(id) {
      // Due at no time: nobody is given it any more.
      const taken = sql`
        UPDATE ready_mails SET due_at = NULL WHERE id = ${id} AND due_at IS NOT NULL RETURNING session`;
      return (await write(taken.compile(queries))).length > 0;
    },

    async returnReadyMail(id, { dueInMs, wasTried }) {
      const returned = sql`
        UPDATE ready_mails SET due_at = ${now()} + ${wholeNumber(dueInMs)}, attempts = attempts + ${wholeNumber(wasTried ? 1 : 0)}
        WHERE id = ${id} AND due_at IS NULL RETURNING session`;
      await write(returned.compile(queries));
    },

    async removeReadyMail(id) {
      await erase(sql`DELETE FROM ready_mails WHERE id = ${id} RETURNING session`.compile(queries));
    },

    async removeExpiredReadyMails() {
      await erase(
        sql`DELETE FROM ready_mails WHERE expires_at <= ${now()} RETURNING session`.compile(queries),
      );
    },

    async eraseReadyMailsTo(tenantId, addresses) {
      if (addresses.length === 0) return 0;
      const erased = sql`
        DELETE FROM ready_mails WHERE lower(address) IN (${sql.join(addresses.map((each) => each.toLowerCase()))})
          AND session IN (SELECT key FROM sessions WHERE tenant_id = ${tenantId}) RETURNING session`;
      return (await erase(erased.compile(queries))).length;
    },
  };
}

const decoded = (row: Row): StoredReadyMail => ({
  id: String(row['id']),
  sessionId: String(row['sessionId']),
  tenantId: String(row['tenantId']),
  sequence: Number(row['sequence']),
  address: String(row['address']),
  language: String(row['language']),
  origin: row['origin'] == null ? null : String(row['origin']),
  attempts: Number(row['attempts']),
  askedAt: Number(row['askedAt']),
  expiresAt: Number(row['expiresAt']),
});
