import type { AgentView } from '@parley/protocol/settings/agent';
import type { MemberView } from '@parley/protocol/settings/member';

type Mail = NonNullable<AgentView['approvalMail']>[number];

/** Mailboxes as one entry of a form, whose entries are texts; empty: none. */
export const mailEntry = (mails: readonly Mail[] = []): string =>
  mails.length === 0 ? '' : JSON.stringify(mails);

/** Rows as they were entered, those that are empty included. */
export const mailRows = (entry: string): readonly Mail[] =>
  entry === '' ? [] : (JSON.parse(entry) as Mail[]);

/** The rows that have an address. */
const mailsOf = (entry: string): Mail[] =>
  mailRows(entry)
    .map((mail) => ({ ...mail, address: mail.address.trim() }))
    .filter(({ address }) => address !== '');

/** Null: nobody is written to. */
export const mailsToSave = (entry: string): Mail[] | null => {
  const mails = mailsOf(entry);
  return mails.length === 0 ? null : mails;
};

export const addressProblem = 'Write addresses such as grace@example.com.';

export const isWrongAddress = ({ address }: Mail): boolean =>
  address.trim() !== '' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(address.trim());

/** Of the tenant's members and of those who work for every tenant, whoever may approve by a link. */
export const approversOf = (members: readonly MemberView[], tenantId: string): readonly MemberView[] =>
  members.filter(
    (member) => member.role !== 'viewer' && (member.tenantId === null || member.tenantId === tenantId),
  );
