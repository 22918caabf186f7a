import { z } from 'zod';
import { boundedObject } from '../bounded-json.ts';
import { maxDelegationLine } from '../bounds.ts';
import { conversationSearch, conversationViewSchema } from './conversation.ts';
import { identifier, timestamp } from './field.ts';
import { ofAgent, ofTenant, pageQuery } from './page.ts';

/** Characters of what a member says, notes or tells the agent. */
export const maxTeamText = 8_000;
/** Notes of one conversation. */
export const maxNotes = 200;

export const inboxViews = ['mine', 'unassigned', 'waiting', 'all'] as const;

const member = z.strictObject({ id: identifier, name: z.string() });
const text = z.string().trim().min(1).max(maxTeamText);

export const inboxQuery = pageQuery({
  ...ofTenant,
  ...ofAgent,
  view: z
    .enum(inboxViews)
    .default('all')
    .describe(
      '`mine`: that the member who asks looks after, or was handed an approval of; `unassigned`: nobody does; `waiting`: for a person, the longest first; `all` by default.',
    ),
  memberId: identifier
    .optional()
    .describe('Of `mine`: whose are listed in place of those of the member who asks.'),
  search: conversationSearch,
});

const thread = {
  holder: member.nullable().describe('Who answers instead of the agent; null: the agent answers.'),
  assignee: member.nullable().describe('Who looks after it.'),
  waitingSince: timestamp
    .nullable()
    .describe('Since when the visitor has waited for a person; null: they do not.'),
  askedOf: member
    .nullable()
    .describe(
      'To whom an approval was handed that waits; null: to nobody. Of several it is the first, or whose list it is in.',
    ),
  askedOfIds: z.array(identifier).describe('All to whom an approval was handed that waits.'),
};

export const threadViewSchema = z.strictObject({
  ...thread,
  notes: z
    .array(z.strictObject({ id: identifier, author: member, text: z.string(), at: timestamp }))
    .describe('What the team says to itself, oldest first. Neither visitors nor models are shown it.'),
  approvals: z
    .array(
      z.strictObject({
        requestId: identifier,
        by: z
          .enum(['team', 'either', 'both', 'two'])
          .describe(
            '`either`: the visitor may answer, too. `both`: they have to, too. `two`: two members have to.',
          ),
        approved: z
          .array(z.strictObject({ by: z.enum(['visitor', 'team']), name: z.string().nullable() }))
          .describe('Who has approved it by now, where more than one has to.'),
        needed: z.int().positive().describe('How many have to approve it.'),
        toolName: z.string(),
        input: z
          .record(z.string(), z.unknown())
          .describe('The arguments that the tool would be called with.'),
        amendedBy: z
          .string()
          .nullable()
          .describe('Which member changed the arguments last; null: they are the agent’s.'),
        delegated: z
          .strictObject({ from: member, to: member, line: z.string().nullable() })
          .nullable()
          .describe(
            'By whom and to whom it was handed last, and with what words; null: all who may are asked.',
          ),
        expiresAt: timestamp.nullable().describe('Until when it can be answered; null: there is no end.'),
      }),
    )
    .describe('What the agent wants to do and the team may answer.'),
  questions: z
    .array(
      z.strictObject({
        requestId: identifier,
        question: z.string().describe('What the agent wants to know. The visitor is not shown it.'),
        expiresAt: timestamp.nullable().describe('Until when it can be answered; null: there is no end.'),
      }),
    )
    .describe('What the agent asks the team; its turn waits for the first answer.'),
  summary: z
    .string()
    .nullable()
    .describe('What the agent would be told of the time since it was taken over; null: it answers.'),
});

export const inboxItemSchema = z.strictObject({
  ...conversationViewSchema.shape,
  ...thread,
  notes: z.int().nonnegative().describe('How many there are.'),
});

export const inboxStreamQuery = z.strictObject({ ...ofTenant, ...ofAgent });

export const inboxChangeSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('changed').describe('A conversation is new in the inbox, or is not as it was.'),
    item: inboxItemSchema.describe('As it stands now, whatever view it belongs to.'),
  }),
  z.strictObject({
    type: z.literal('removed').describe('A conversation was removed.'),
    id: identifier,
  }),
  z.strictObject({
    type: z.literal('missed').describe('Some changes were not sent: the list has to be read again.'),
  }),
]);

/** How many of those who are there are named. */
export const maxPresent = 50;

export const presenceSchema = z.strictObject({
  tenantId: identifier.describe('Whose inbox is open.'),
  conversationId: identifier
    .nullable()
    .describe('What is looked at; null, or none of the tenant’s: no conversation.'),
});
export const presentViewSchema = z.strictObject({
  members: z
    .array(
      z.strictObject({
        ...member.shape,
        conversationId: identifier.nullable().describe('What they look at; null: no conversation.'),
      }),
    )
    .describe(`Who has the inbox open, by name, whoever asks included: ${maxPresent} at most.`),
});

export const teamMessageSchema = z.strictObject({
  text,
  id: identifier.optional().describe('Sent again with the same one, it is said once.'),
});
export const handBackSchema = z.strictObject({
  summary: text.nullable().describe('What the agent is told of what was said meanwhile; null: nothing.'),
});
export const assignmentSchema = z.strictObject({
  memberId: identifier.nullable().describe('Who looks after it from now on; null: nobody.'),
});
export const approvalAnswerSchema = z.strictObject({
  requestId: identifier.describe('Of one of the thread’s `approvals`.'),
  answer: z.enum(['approve', 'deny']),
});
export const amendmentSchema = z.strictObject({
  requestId: identifier.describe(
    'Of one of the thread’s `approvals`. What is asked afterwards has another one.',
  ),
  input: boundedObject.describe('All arguments, as the tool is to be called with.'),
});
export const delegationSchema = z.strictObject({
  requestId: identifier.describe('Of one of the thread’s `approvals`.'),
  memberId: identifier.describe('Whom it is asked of from now on: somebody who may approve it.'),
  line: z
    .string()
    .trim()
    .max(maxDelegationLine)
    .transform((line) => line || null)
    .nullable()
    .default(null)
    .describe('What they are told along with it.'),
});
export const approversQuery = pageQuery({});
export const colleagueSchema = member;
export const approverSchema = member.extend({
  isWrittenTo: z.boolean().describe('Whether `approvalMail` of the agent names a mailbox of theirs.'),
});
export const teamAnswerSchema = z.strictObject({
  requestId: identifier.describe('Of one of the thread’s `questions`.'),
  text: text.describe('What the agent is told. The visitor is not shown it.'),
});
export const noteCreateSchema = z.strictObject({ text });

export type InboxView = (typeof inboxViews)[number];
export type InboxItem = z.infer<typeof inboxItemSchema>;
export type ThreadView = z.infer<typeof threadViewSchema>;
export type PresentView = z.infer<typeof presentViewSchema>;
export type InboxChange = z.infer<typeof inboxChangeSchema>;
