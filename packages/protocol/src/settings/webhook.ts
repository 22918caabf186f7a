import { z } from 'zod';
import { httpUrl, identifier, name, timestamp, withId } from './field.ts';
import { listView } from './view.ts';

/** What a webhook may be told, and when. One more is a line here and, where it comes from, who queues it. */
export const webhookEvents = {
  'conversation.begun': 'A conversation has its first message.',
  'conversation.ended': 'A conversation is over: ended, or failed for good.',
  message: 'The visitor, the agent or a member of the team has said something.',
  'approval.asked': 'An agent wants to do something that somebody has to approve.',
  'approval.answered': 'Somebody has approved it, or refused.',
  rating: 'A visitor has rated an answer.',
  hand_over: 'A member of the team has taken a conversation over, or handed it back to the agent.',
  'contact.changed': 'A contact was added, changed or erased. For webhooks of all agents only.',
} as const;

export type WebhookEvent = keyof typeof webhookEvents;

const eventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];

const fields = {
  name: name.describe('What the team calls it.'),
  url: httpUrl.describe('Where events are sent to, by POST. Redirects are not followed.'),
  events: z.array(z.enum(eventNames)).min(1).max(eventNames.length).describe('What it is told.'),
  agentIds: z
    .array(identifier)
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('Of which agents it is told; null: of all.'),
  active: z.boolean().default(true).describe('Of what happens while it is switched off, it is never told.'),
  approvalLinks: z
    .boolean()
    .default(false)
    .describe(
      '`approval.asked` brings a link that answers it, once and in the name of the webhook: whoever runs the address may approve.',
    ),
};

export const webhookCreateSchema = z.strictObject({ tenantId: identifier, ...fields });

/** Fields left out stay; null restores the default. */
export const webhookPatchSchema = z.strictObject({
  name: fields.name.optional(),
  url: fields.url.optional(),
  events: fields.events.optional(),
  agentIds: fields.agentIds.unwrap().optional(),
  active: fields.active.unwrap().nullish(),
  approvalLinks: fields.approvalLinks.unwrap().nullish(),
});

export const webhookSettingsSchema = z.strictObject({ ...withId, ...webhookCreateSchema.shape });

export const webhookViewSchema = z.strictObject({
  ...webhookSettingsSchema.shape,
  status: z
    .enum(['working', 'failing', 'off'])
    .describe('`failing`: the last attempt failed. `off`: it is switched off, and not called.'),
  failingSince: timestamp.nullable().describe('When the first of the attempts that failed was made.'),
  problem: z.string().nullable().describe('Why the last attempt failed, or why it was switched off.'),
  last4: z.string().describe('The end of its secret.'),
  previousSecretUntil: timestamp
    .nullable()
    .describe('Until when requests are signed with the secret before, too; null: there is none.'),
  secret: z
    .string()
    .describe('What its requests are signed with. In the answer to create and rotate only.')
    .optional(),
});

const attempt = {
  httpStatus: z.int().nullable().describe('What the address answered; null: it did not.'),
  durationMs: z.number().nonnegative().nullable().describe('How long the last attempt took.'),
  response: z.string().nullable().describe('How its answer begins.'),
  problem: z.string().nullable().describe('Why the last attempt failed; null: it did not.'),
};

export const webhookTestViewSchema = z.strictObject({
  status: z.enum(['delivered', 'failed']),
  ...attempt,
});

const delivery = {
  id: identifier,
  webhookId: identifier.describe('The webhook that it is for.'),
  eventId: z.string().describe('The `webhook-id` of its requests, the same in every attempt.'),
  type: z.string().describe('What happened.'),
  status: z
    .enum(['waiting', 'delivered', 'failed'])
    .describe('`waiting`: to be sent, again or for the first time. `failed`: given up.'),
  attempts: z.int().nonnegative().describe('How often it was tried.'),
  createdAt: timestamp,
  attemptedAt: timestamp.nullable().describe('When it was tried last.'),
  ...attempt,
};

export const deliverySchema = z.strictObject(delivery);
export const deliveryDetailSchema = z.strictObject({
  ...delivery,
  body: z.string().describe('The request, as it is sent, without the links of approvals.'),
});
export const deliveryListSchema = listView(deliverySchema);

export const deliveryFilters = {
  status: z.enum(['waiting', 'delivered', 'failed']).optional().describe('Only those of this status.'),
};

export const replaySchema = z.strictObject({
  since: timestamp.max(40).describe('What was given up since then is sent again.'),
});
export const replayViewSchema = z.strictObject({
  replayed: z.int().nonnegative().describe('How many are sent again.'),
  more: z.boolean().describe('There are more: ask again.'),
});

export type WebhookCreate = z.infer<typeof webhookCreateSchema>;
export type WebhookPatch = z.infer<typeof webhookPatchSchema>;
export type WebhookSettings = z.infer<typeof webhookSettingsSchema>;
export type WebhookView = z.infer<typeof webhookViewSchema>;
export type WebhookTestView = z.infer<typeof webhookTestViewSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
export type DeliveryDetail = z.infer<typeof deliveryDetailSchema>;
export type ReplayView = z.infer<typeof replayViewSchema>;
