import { z } from 'zod';
import { approval, connectionFields, connectionPatchFields } from './connection-fields.ts';
import { identifier, timestamp, withId } from './field.ts';
import { credentialViewSchema } from './view.ts';
import { writeOnly } from './write-only.ts';

const fields = {
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'Expected a host such as smtp.example.com.')
    .describe('The firm’s SMTP server.'),
  port: z.int().min(1).max(65_535).default(587).describe('Of the server: usually 587, or 465 with `tls`.'),
  security: z
    .enum(['starttls', 'tls', 'none'])
    .default('starttls')
    .describe('`starttls` is required of the server; with `none` there is no password.'),
  user: z.string().max(254).default('').describe('Who signs in there; empty: nobody does.'),
  password: writeOnly(z.string().min(1).max(1_000))
    .describe('Encrypted at rest and never shown again.')
    .optional(),
  from: z.email().max(254).describe('The address that mail comes from.'),
  fromName: z
    .string()
    .max(100)
    .regex(/^\P{Cc}*$/u, 'Expected a name without control characters.')
    .default('')
    .describe('The name beside that address.'),
  recipients: z
    .array(
      z
        .string()
        .max(254)
        .regex(/^(?:\*|@[A-Za-z0-9.-]+|[^\s@,;<>]+@[A-Za-z0-9.-]+)$/, 'Expected an address, @domain or *.'),
    )
    .min(1)
    .max(100)
    .describe(
      'Who may be written to: addresses, `@domain` for all of one, or `*`: whoever books an appointment is invited to it at whatever address they give, and a verified visitor whose id is an address is written to there.',
    ),
  approval: approval.default('always').describe('Before anything is sent.'),
  notices: z
    .boolean()
    .describe(
      'Whether what the service itself writes for the agent leaves by it: invitations, requests for approval, and that an answer is ready. One connection of an agent may have it; where none has, they leave by its first one for mail.',
    )
    .optional(),
};

export const mailCreateSchema = z.strictObject({
  agentId: identifier,
  kind: z.literal('mail'),
  ...connectionFields,
  ...fields,
});

/** What came of the last time that its server was asked to let the service in. */
export const mailStateSchema = z.strictObject({
  status: z.enum(['connected', 'failed']),
  since: timestamp.describe('Since when it is so.'),
  problem: z.string().max(500).nullable().describe('Why it failed; null: it did not.'),
});

/** What is stored and used at run time. */
export const mailSettingsSchema = z.strictObject({ ...withId, ...mailCreateSchema.shape });

export const mailViewSchema = z.strictObject({
  ...withId,
  ...mailCreateSchema.shape,
  password: credentialViewSchema.optional(),
  ...mailStateSchema.shape,
});

/** Fields left out stay; null restores the default. A password is not kept for another host. */
export const mailPatchSchema = z.strictObject({
  ...connectionPatchFields,
  host: fields.host.optional(),
  port: fields.port.unwrap().nullish(),
  security: fields.security.unwrap().nullish(),
  user: fields.user.unwrap().nullish(),
  password: fields.password.nullable(),
  from: fields.from.optional(),
  fromName: fields.fromName.unwrap().nullish(),
  recipients: fields.recipients.optional(),
  approval: fields.approval.unwrap().nullish(),
  notices: fields.notices
    .nullable()
    .describe('Whether what the service itself writes for the agent leaves by it; null: no.'),
});

export type MailSettings = z.infer<typeof mailSettingsSchema>;
export type MailState = z.infer<typeof mailStateSchema>;
export type MailView = z.infer<typeof mailViewSchema>;
