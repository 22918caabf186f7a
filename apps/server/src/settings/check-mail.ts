import type { MailSettings, MailState } from '@parley/protocol/settings/mail-connection';
import type { Mailer } from '../mail/mailer.ts';

/** Asks a mail server to let this service in, and sends nothing. */
export async function checkMail(
  settings: MailSettings,
  mailer: Pick<Mailer, 'check'>,
): Promise<{ readonly state: MailState; readonly denied: string | null }> {
  const problem = await mailer.check(settings);
  const since = new Date().toISOString();
  const status = problem === null ? 'connected' : 'failed';
  return {
    state: { status, since, problem: problem?.explanation ?? problem?.message ?? null },
    denied: problem?.denied ? (problem.explanation ?? problem.message) : null,
  };
}
