import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { MailSettings } from '@parley/protocol/settings/mail-connection';

/** By which of an agent’s connections the service itself writes: the one that is set up to, else the first for mail. */
export function noticeMail(connections: readonly ConnectionSettings[]): MailSettings | null {
  const mails = connections.filter((each): each is MailSettings => each.kind === 'mail');
  return mails.find(({ notices }) => notices === true) ?? mails[0] ?? null;
}
