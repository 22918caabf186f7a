import { z } from 'zod';
import { sessionEventSchema } from '../event.ts';
import { feedbackViewSchema } from './feedback.ts';
import { identifier, timestamp } from './field.ts';
import { threadViewSchema } from './inbox.ts';
import { ofTenant, pageQuery } from './page.ts';
import { maxContactValue } from './pipeline.ts';

/** Fields of one contact that one request changes. */
const maxChanges = 20;

const key = z.string().min(1).max(40);

export const contactListQuery = pageQuery({
  ...ofTenant,
  stage: key.optional().describe('Only those in this stage.'),
  visitor: z.string().min(1).max(256).optional().describe('Only whoever has proved to be this visitor.'),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only those whose id, fields or answers to a form have this in it.'),
});

/** Somebody who has proved to a tenant’s agents who they are. */
export const contactViewSchema = z.strictObject({
  id: identifier,
  tenantId: identifier,
  visitor: z.string().describe('Who they have proved to be: the `sub` of their visitor tokens.'),
  stage: key.describe('The id of a stage of the pipeline.'),
  fields: z
    .record(
      z.string(),
      z.strictObject({
        value: z.string().describe('What was noted.'),
        by: z.enum(['agent', 'team']).describe('Who noted it.'),
      }),
    )
    .describe('What was noted of them, by the id of the field.'),
  said: z
    .record(z.string(), z.string())
    .describe(
      'What they typed into the form before a conversation, by its name there. Nobody has checked it.',
    ),
  createdAt: timestamp,
  seenAt: timestamp.describe('When they last wrote, give or take a minute.'),
});

export const contactPatchSchema = z.strictObject({
  stage: key.optional().describe('The id of the stage that they move to.'),
  fields: z
    .record(key, z.string().trim().max(maxContactValue).nullable())
    .refine((fields) => Object.keys(fields).length <= maxChanges, `Expected at most ${maxChanges} fields.`)
    .meta({ maxProperties: maxChanges })
    .optional()
    .describe('By the ids of fields of the pipeline; null or nothing removes one. Those left out stay.'),
});

/** All there is of a contact, for whoever asks what is known of them. */
export const contactExportSchema = z.object({
  contact: contactViewSchema.describe('What is noted of them.'),
  appointments: z
    .array(
      z.object({
        startsAt: timestamp.describe('When it begins.'),
        endsAt: timestamp.describe('When it ends.'),
        name: z.string().describe('For whom it was booked.'),
        email: z.string().nullable().describe('Where the invitation went; null: nowhere.'),
        note: z.string().nullable().describe('What it is about.'),
        status: z.enum(['booked', 'cancelled']),
      }),
    )
    .describe('Those that were booked in their conversations, the first ones of very many.'),
  signIns: z
    .array(
      z.object({
        agentId: identifier,
        connectionId: identifier.describe('Of the connection whose server they were sent to.'),
        status: z.enum(['signed-in', 'signed-out', 'declined', 'failed']),
        createdAt: timestamp.describe('When they were first sent there.'),
      }),
    )
    .describe('Where they have signed in for an agent, or have not, without what the agent was given.'),
  conversations: z
    .array(
      z.object({
        id: identifier,
        agentId: identifier,
        interface: z.enum(['sessions', 'chat']),
        status: z.enum(['open', 'completed', 'failed', 'reset']),
        createdAt: timestamp,
        events: z.array(sessionEventSchema),
        ratings: z
          .array(feedbackViewSchema.omit({ sessionId: true }))
          .describe('What they thought of its turns.'),
        notes: threadViewSchema.shape.notes,
      }),
    )
    .describe('All of theirs.'),
});

/** What an erasure says that it has done, without anything of the person. */
export const erasureViewSchema = z.strictObject({
  contactId: identifier.describe('Of the contact that is gone.'),
  at: timestamp,
  by: z
    .strictObject({ id: identifier, name: z.string() })
    .nullable()
    .describe('Who asked for it; null: whoever holds the admin token.'),
  complete: z
    .boolean()
    .describe('False: there was more than one request erases. Send it again until it is true.'),
  erased: z
    .strictObject({
      contacts: z.int().nonnegative().describe('1, once all else is gone.'),
      conversations: z.int().nonnegative().describe('With all their messages, files, notes and ratings.'),
      files: z.int().nonnegative().describe('That no conversation had.'),
      appointments: z
        .int()
        .nonnegative()
        .describe('Which keep their time and lose the name, the address and the note.'),
      signIns: z.int().nonnegative().describe('Accounts of theirs that agents could use, revoked.'),
    })
    .describe('How much, by this request.'),
});

export type ContactView = z.infer<typeof contactViewSchema>;
export type ContactPatch = z.infer<typeof contactPatchSchema>;
export type ErasureView = z.infer<typeof erasureViewSchema>;
