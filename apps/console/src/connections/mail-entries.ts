import type { MailView } from '@parley/protocol/settings/mail-connection';

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
}

type Settings = Pick<
  MailView,
  'agentId' | 'name' | 'host' | 'port' | 'security' | 'user' | 'from' | 'fromName' | 'recipients' | 'approval'
>;

export const mailEntries = ({ port, recipients, ...mail }: Settings): MailEntries => ({
  ...mail,
  port: String(port),
  password: '',
  recipients: recipients.join('\n'),
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
  });

const recipientsOf = ({ recipients }: MailEntries): string[] => recipients.split(/[\s,;]+/).filter(Boolean);

export function mailProblems(entries: MailEntries): Record<string, string> {
  return {
    ...(entries.host.trim() === '' && { host: 'Enter your mail server, such as smtp.example.com.' }),
    ...(!/^\d{1,5}$/.test(entries.port) && { port: 'Enter a number, usually 587.' }),
    ...(!entries.from.includes('@') && { from: 'Enter the address that mail comes from.' }),
    ...(recipientsOf(entries).length === 0 && { recipients: 'Say who may be written to.' }),
    ...(entries.name === '' && { name: 'Give it a short name.' }),
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
});

export const mailField = (path: string): string => (path.startsWith('recipients') ? 'recipients' : path);
