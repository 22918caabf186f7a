import type { DatabaseSync } from 'node:sqlite';
import type { NewApprovalMail } from '../approval-mail-store.ts';

/** Who is to be written to of what a commit asks. */
export function prepareApprovalMails(
  connection: DatabaseSync,
): (session: number, mails: readonly NewApprovalMail[], now: number) => void {
  const insert = connection.prepare(`
    INSERT INTO approval_mails (session, request_id, address, member_id, is_reminder, due_at, attempts)
    VALUES (?, ?, ?, ?, ?, ?, 0)`);
  return (session, mails, now) => {
    for (const { requestId, address, memberId, isReminder, dueInMs } of mails)
      insert.run(session, requestId, address, memberId, isReminder ? 1 : 0, now + dueInMs);
  };
}
