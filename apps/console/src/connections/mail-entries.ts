import type { MailView } from '@parley/protocol/settings/mail-connection';
import { changedIn } from '../ui/changed-in.ts';
import { callLimitProblem } from './call-limit.tsx';

export interface MailEntries {
  [field: string]: string;
  agentId: string;
  name: string;
  host: string;
  port: string;
  security: string;
  user: string;
  password: string;
  from: string;
  fromName: string;
  recipients: string;
  approval: string;
  callsPerMinute: string;
  /** Empty: no. */
  notices: string;
}

type Settings = Omit<MailView, 'id' | 'kind' | 'createdAt' | 'password' | 'status' | 'since' | 'problem'>;

export const mailEntries = (mail: Settings): MailEntries => ({
  agentId: mail.agentId,
  name: mail.name,
  host: mail.host,
  port: String(mail.port),
  security: mail.security,
  user: mail.user,
  password: '',
  from: mail.from,
  fromName: mail.fromName,
  recipients: mail.recipients.join('\n'),
  approval: mail.approval,
  callsPerMinute: String(mail.callsPerMinute),
  notices: mail.notices === true ? 'yes' : '',
});

export const newMail = (agentId: string): MailEntries =>
  mailEntries({
    agentId,
    name: 'mail',
    host: '',
    port: 587,
    security: 'starttls',
    user: '',
    from: '',
    fromName: '',
    recipients: [],
    approval: 'always',
    callsPerMinute: 60,
  });

const recipientsOf = ({ recipients }: MailEntries): string[] => recipients.split(/[\s,;]+/).filter(Boolean);

export function mailProblems(entries: MailEntries): Record<string, string> {
  return {
    ...(entries.host.trim() === '' && { host: 'Enter your mail server, such as smtp.example.com.' }),
    ...(!/^\d{1,5}$/.test(entries.port) && { port: 'Enter a number, usually 587.' }),
    ...(!entries.from.includes('@') && { from: 'Enter the address that mail comes from.' }),
    ...(recipientsOf(entries).length === 0 && { recipients: 'Say who may be written to.' }),
    ...(entries.name === '' && { name: 'Give it a short name.' }),
    ...callLimitProblem(entries.callsPerMinute),
  };
}

/** What is sent of it. A password that is not entered stays. */
export const mailBody = (entries: MailEntries): object => ({
  name: entries.name,
  host: entries.host.trim(),
  port: Number(entries.port),
  security: entries.security,
  user: entries.user.trim(),
  ...(entries.password !== '' && { password: entries.password }),
  from: entries.from.trim(),
  fromName: entries.fromName.trim(),
  recipients: recipientsOf(entries),
  approval: entries.approval,
  callsPerMinute: Number(entries.callsPerMinute),
});

/** Of that, and of whether notices leave by it, what differs from what was shown. */
export function mailChanges(before: MailEntries, entries: MailEntries): object {
  const changes = changedIn(changeable(before), changeable(entries));
  // A password is for the server that it was entered for.
  return { ...changes, ...('password' in changes && { host: entries.host.trim() }) };
}

const changeable = (entries: MailEntries): object => ({
  ...mailBody(entries),
  notices: entries.notices !== '' || null,
});

export const mailField = (path: string): string => (path.startsWith('recipients') ? 'recipients' : path);
