import type { DatabaseSync } from 'node:sqlite';
import type { NewApprovalMail } from '../approval-mail-store.ts';

/** Who is to be written to of what a commit asks. */
export function prepareApprovalMails(
  connection: DatabaseSync,
): (session: number, mails: readonly NewApprovalMail[], now: number) => void {
  const advance = connection.prepare(`
    UPDATE approval_mails SET due_at = min(due_at, ?6), ends_at = ?7
    WHERE session = ?1 AND request_id = ?2 AND address = ?3 AND member_id IS ?4 AND is_reminder = ?5`);
  const insert = connection.prepare(`
    INSERT INTO approval_mails (session, request_id, address, member_id, is_reminder, due_at, ends_at, attempts)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)`);
  return (session, mails, now) => {
    for (const { requestId, address, memberId, isReminder, dueInMs, endsInMs } of mails) {
      const times = [now + dueInMs, now + endsInMs] as const;
      const mail = [session, requestId, address, memberId, isReminder ? 1 : 0, ...times] as const;
      if (advance.run(...mail).changes === 0) insert.run(...mail);
    }
  };
}
