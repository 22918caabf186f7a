import { createHash } from 'node:crypto';
import type { MailSettings } from '@parley/protocol/settings/mail-connection';
import { z } from 'zod';
import { mayReceive } from '../../mail/may-receive.ts';
import { type CallCount, tooManyCalls } from '../call-count.ts';
import { digestOf } from '../mcp/tool-definition.ts';
import type { ToolSource } from '../source.ts';
import type { ServerTool, ToolOutcome } from '../tool.ts';

const timeoutMs = 60_000;

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly id: string;
  /** An appointment, in iCalendar. */
  readonly event?: { readonly method: 'request' | 'cancel'; readonly content: string };
}

/** Hands mail to a tenant's server. Null: it was taken; otherwise why it was not, where `uncertain` for all that is known. */
export interface MailSender {
  send(
    settings: MailSettings,
    mail: Mail,
  ): Promise<{ readonly message: string; readonly uncertain?: true } | null>;
}

const inputSchema = z.strictObject({
  to: z.email({ error: 'Expected one e-mail address.' }).max(254).describe('One address.'),
  subject: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, 'Expected one line.'),
  text: z.string().min(1).max(20_000).describe('Plain text.'),
});

/** Mail in the name of a tenant, through its own server. */
export function mailSource(sender: MailSender, count: CallCount): ToolSource {
  return {
    load({ connections }) {
      const servers = connections.filter((each): each is MailSettings => each.kind === 'mail');
      const tools = servers.map((settings) => sendMail(settings, sender, count));
      return Promise.resolve({ forSession: () => tools, close: () => Promise.resolve() });
    },
  };
}

function sendMail(settings: MailSettings, sender: MailSender, count: CallCount): ServerTool<ToolOutcome> {
  const { id, name, host, port, from, recipients, approval } = settings;
  const listed = recipients.map((recipient) =>
    recipient === '*' ? 'the verified user, at the address that is their id' : recipient,
  );
  const allowed = ` Only to: ${listed.join(', ').slice(0, 1_000)}.`;
  return {
    executor: 'server',
    name: `${name}__send_mail`,
    description: `Send an e-mail from ${from}.${allowed} Write the whole of it; what is sent cannot be taken back.`,
    parameters: { ...z.toJSONSchema(inputSchema, { io: 'input' }), type: 'object' },
    interfaces: ['chat', 'sessions'],
    approval,
    approvalExpiresAfterMs: null,
    idempotent: false,
    visibility: 'status',
    timeoutMs,
    fingerprint: digestOf([id, host, port, from, approval]),
    invalid(input) {
      const issue = inputSchema.safeParse(input).error?.issues[0];
      return issue && `The arguments are not valid: ${issue.path.join('.') || 'all'}: ${issue.message}`;
    },
    async execute(input, { idempotencyKey, visitor }) {
      const tooMany = await tooManyCalls(settings, count);
      if (tooMany !== null) return tooMany;
      const mail = inputSchema.parse(input);
      // Who approves is who asks for it: `*` makes nobody else's mailbox theirs to write to.
      const named = recipients.filter((recipient) => recipient !== '*');
      const own = recipients.includes('*') && visitor?.includes('@', 1) ? [visitor] : [];
      if (!mayReceive([...named, ...own], mail.to))
        return {
          ok: false,
          code: 'NOT_SENT',
          message: `The mail was not sent. Nobody has allowed mail to ${mail.to}.`,
        };
      const messageId = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32);
      const problem = await sender.send(settings, { ...mail, id: messageId });
      if (problem?.uncertain === true)
        return {
          ok: false,
          code: 'OUTCOME_UNKNOWN',
          message: `The mail may have been sent; do not send it again. ${problem.message}`,
        };
      if (problem !== null)
        return { ok: false, code: 'NOT_SENT', message: `The mail was not sent. ${problem.message}` };
      return { ok: true, output: { sent: mail.to, subject: mail.subject } };
    },
  };
}
