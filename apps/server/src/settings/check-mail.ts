import type { MailSettings, MailState } from '@parley/protocol/settings/mail-connection';
import type { Mailer } from '../mail/mailer.ts';

/** Asks a mail server to let this service in, and sends nothing. */
export async function checkMail(
  settings: MailSettings,
  mailer: Pick<Mailer, 'check'>,
): Promise<{ readonly state: MailState; readonly denied: string | null }> {
  const problem = await mailer.check(settings);
  const since = new Date().toISOString();
  if (problem === null) return { state: { status: 'connected', since, problem: null }, denied: null };
  const { message, explanation = message, denied } = problem;
  return { state: { status: 'failed', since, problem: explanation }, denied: denied ? explanation : null };
}
