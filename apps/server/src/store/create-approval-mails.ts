import { sql } from 'kysely';
import type { ApprovalMailStore } from './approval-mail-store.ts';
import { dayMs } from './day-ms.ts';
import type { QueryEngine } from './query-engine.ts';
import { wholeNumber } from './whole-number.ts';

/** Those that are due and looked at for one claim: of a tenant that has more, others come once it is one of the except. */
const maxLookedAt = 1_000;
/** What a process of an earlier version adds has no end: it has this long from when it was due. */
const maxUnendedMs = 7 * dayMs;

export function createApprovalMails({ queries, read, write, erase, now }: QueryEngine): ApprovalMailStore {
  return {
    async claimApprovalMails({ leaseMs, limit, exceptTenants }) {
      const others =
        exceptTenants.length > 0 ? sql`AND sessions.tenant_id NOT IN (${sql.join(exceptTenants)})` : sql``;
      const due = sql`
        SELECT key FROM (
          SELECT key, "dueAt", row_number() OVER (PARTITION BY "tenantId" ORDER BY "dueAt", key) AS place FROM (
            SELECT approval_mails.key AS key, approval_mails.due_at AS "dueAt", sessions.tenant_id AS "tenantId"
            FROM approval_mails JOIN sessions ON sessions.key = approval_mails.session
            WHERE approval_mails.due_at <= ${now()} ${others}
            ORDER BY approval_mails.due_at LIMIT ${maxLookedAt}) AS due) AS placed
        WHERE place = 1 ORDER BY "dueAt" LIMIT ${limit}`;
      const found = await read(due.compile(queries));
      if (found.length === 0) return [];
      const keys = sql.join(found.map(({ key }) => wholeNumber(Number(key))));
      // Asked again: of two who found the same one, the second sees here that it is not due any more.
      const claim = sql`
        UPDATE approval_mails SET due_at = ${now()} + ${wholeNumber(leaseMs)}, attempts = attempts + 1,
          ends_at = coalesce(ends_at, due_at + ${sql.lit(maxUnendedMs)})
        WHERE key IN (${keys}) AND due_at <= ${now()}
        RETURNING key, (SELECT id FROM sessions WHERE sessions.key = approval_mails.session) AS "sessionId",
          (SELECT tenant_id FROM sessions WHERE sessions.key = approval_mails.session) AS "tenantId",
          due_at AS "leasedUntil", request_id AS "requestId", address, member_id AS "memberId", is_reminder AS "isReminder", attempts,
          ends_at - ${now()} AS "endsInMs"`;
      return (await write(claim.compile(queries))).map((row) => ({
        key: Number(row['key']),
        leasedUntil: Number(row['leasedUntil']),
        sessionId: String(row['sessionId']),
        tenantId: String(row['tenantId']),
        requestId: String(row['requestId']),
        address: String(row['address']),
        memberId: row['memberId'] == null ? null : String(row['memberId']),
        isReminder: Number(row['isReminder']) === 1,
        attempts: Number(row['attempts']),
        endsInMs: Number(row['endsInMs']),
      }));
    },

    async removeApprovalMail({ key, leasedUntil }) {
      const removal = sql`
        DELETE FROM approval_mails WHERE key = ${wholeNumber(key)} AND due_at = ${wholeNumber(leasedUntil)} RETURNING key`;
      await erase(removal.compile(queries));
    },

    async postponeApprovalMail({ key, leasedUntil }, { dueInMs, wasTried }) {
      const postpone = sql`
        UPDATE approval_mails SET due_at = ${now()} + ${wholeNumber(dueInMs)}, attempts = attempts - ${wholeNumber(wasTried ? 0 : 1)}
        WHERE key = ${wholeNumber(key)} AND due_at = ${wholeNumber(leasedUntil)} RETURNING key`;
      await write(postpone.compile(queries));
    },
  };
}
