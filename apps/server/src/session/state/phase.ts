import { inputRequestSchema, inputResponseSchema } from '@parley/protocol/ask';
import { usageSchema } from '@parley/protocol/event';
import { z } from 'zod';
import { assistantPartSchema, isJsonObject, toolOutputSchema } from '../../model/message.ts';
import { messageBodySchema } from '../queue-item.ts';

const jsonObject = z.custom<Record<string, unknown>>(isJsonObject);

/**
 * A call and, once it has one, its result as the model will read it. In the store the results of an open step are rows
 * of their own, so that none is written again with the next.
 */
const callSchema = z.strictObject({
  callId: z.string(),
  toolName: z.string(),
  input: jsonObject,
  result: toolOutputSchema.nullable(),
  /**
   * Digest of tool and arguments when the call was put into the log: a call that no longer has it is not run. Null for a
   * call that runs no tool of the agent, and in states that were stored before there was one.
   */
  fingerprint: z.string().nullable(),
  /** Its arguments are a member's: who changed them last, and how often that was done. */
  amended: z.strictObject({ by: z.string(), times: z.number() }).exactOptional(),
});

/** A message that gets a step of its own, what the page told along with it, and whether the log shows it already. */
const followUpSchema = z.strictObject({
  body: messageBodySchema,
  context: z.array(z.string()).readonly(),
  received: z.boolean(),
});

const turnSchema = z.strictObject({
  sequence: z.number(),
  itemId: z.string(),
  /** The turn whose step this one goes on with, or itself: from there on the prompt must stay whole. */
  wholeFrom: z.number(),
  /** An index of the log at or before the turn's first event. */
  fromIndex: z.number(),
  stepIndex: z.number(),
  /** Messages that get a step of their own once the current step is done. */
  followUps: z.array(followUpSchema).readonly(),
  outputSchema: jsonObject.nullable(),
  /** The assistant's UI message that this turn goes on with, or null. */
  continues: z.string().nullable(),
  /** Tokens of its model calls up to the last commit. */
  usage: z.strictObject({ inputTokens: z.number(), outputTokens: z.number() }),
  /** Unix milliseconds when the first words or thoughts that a reader is shown came from the model, or null. */
  firstDeltaAt: z.number().nullable(),
  /** Unix milliseconds after which the turn is cut, or null. */
  deadline: z.number().nullable(),
  /** The visitor that it acts for: the sender's of what it begins with. An assignment of the session during the turn does not change it. */
  visitor: z.string().nullable(),
  /** It began because a time had come, not because somebody did something. */
  unattended: z.boolean(),
});

/** A model step whose calls are being worked on: what the model said, and how far its calls are. */
const toolStepSchema = z.strictObject({
  content: z.array(assistantPartSchema).readonly(),
  calls: z.array(callSchema).readonly(),
  /** The calls among them that wait for a person. */
  requests: z.array(inputRequestSchema).readonly(),
  /** Ids of the calls among them that the visitor's page runs. */
  clientCallIds: z.array(z.string()).readonly(),
  usage: usageSchema,
  /** The turn in whose history the step is kept; an approved step belongs to the turn that asked. */
  historyTurn: z.number(),
  /** The calls were approved after their turn had ended: the model is called after them, in the same step. */
  resumed: z.boolean(),
  /** What the page told along with the approval. */
  context: z.array(z.string()).readonly(),
  /** What the visitor was asked to sign in to, and up to when, in Unix milliseconds: calls wait for it. */
  signIns: z
    .array(
      z.strictObject({ name: z.string(), callIds: z.array(z.string()).readonly(), expiresAt: z.number() }),
    )
    .readonly()
    .exactOptional(),
});

const delegateSchema = z.strictObject({ id: z.string(), name: z.string() });

const pendingRequestSchema = z.strictObject({
  request: inputRequestSchema,
  response: inputResponseSchema.nullable(),
  /** Unix milliseconds from which on nobody can answer it, or null: it waits for as long as it takes. */
  expiresAt: z.number().nullable(),
  /** Nobody answered in time, and the log says so. */
  expired: z.boolean(),
  /** Whose answer counts, as it was set when it was asked. Questions are the visitor's. */
  by: z.enum(['visitor', 'team', 'either', 'both', 'two']).default('visitor'),
  /** Who has said yes so far, where more than one has to. A member, or the mailbox of a link, has an id. */
  approvedBy: z
    .array(
      z.strictObject({
        by: z.enum(['visitor', 'team']),
        id: z.string().nullable(),
        name: z.string().nullable(),
      }),
    )
    .readonly()
    .exactOptional(),
  /** Whom of the team it was handed to last, by whom and with what words, and how often that was done. */
  delegated: z
    .strictObject({
      from: delegateSchema,
      to: delegateSchema,
      line: z.string().nullable(),
      times: z.number(),
      /** Ids of everybody whom it was handed to: each is written to about that once. */
      everTo: z.array(z.string()).readonly().default([]),
    })
    .exactOptional(),
});

/** A step that ended its turn because calls of it wait for a person or for the visitor's page. */
const waitingStepSchema = z.strictObject({
  sequence: z.number(),
  stepIndex: z.number(),
  content: z.array(assistantPartSchema).readonly(),
  calls: z.array(callSchema).readonly(),
  requests: z.array(pendingRequestSchema).readonly(),
  /** Ids of the calls that were given to the page; those without a result are waited for. */
  clientCallIds: z.array(z.string()).readonly(),
  /** Messages that came while an approval was open; they are answered after it. */
  held: z.array(followUpSchema).readonly(),
  /** What the page told along with responses that did not suffice. */
  context: z.array(z.string()).readonly(),
  /** Asked by a turn that was. */
  unattended: z.boolean(),
});

/**
 * What a session is doing. Whoever takes it over in `model` or `tools` goes on with the turn; `idle` and `waiting` have
 * none, and go on with what comes.
 */
export const phaseSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('idle') }),
  /** The model is called for the turn's step, or about to be. */
  z.strictObject({ type: z.literal('model'), turn: turnSchema }),
  /** The calls of the turn's step are delivered. */
  z.strictObject({ type: z.literal('tools'), turn: turnSchema, step: toolStepSchema }),
  z.strictObject({ type: z.literal('waiting'), step: waitingStepSchema }),
]);

export type Call = z.infer<typeof callSchema>;
export type FollowUp = z.infer<typeof followUpSchema>;
export type Turn = z.infer<typeof turnSchema>;
export type ToolStep = z.infer<typeof toolStepSchema>;
export type PendingRequest = z.infer<typeof pendingRequestSchema>;
export type WaitingStep = z.infer<typeof waitingStepSchema>;
export type Phase = z.infer<typeof phaseSchema>;

export const idle: Phase = { type: 'idle' };

/** The turn that has started and not ended, or null. */
export function openTurn({ phase }: { readonly phase: Phase }): Turn | null {
  return phase.type === 'model' || phase.type === 'tools' ? phase.turn : null;
}

/** The phase with the open turn as `change` makes it; the very same one where no turn is open. */
export function changeTurn(phase: Phase, change: (turn: Turn) => Turn): Phase {
  if (phase.type !== 'model' && phase.type !== 'tools') return phase;
  return { ...phase, turn: change(phase.turn) };
}

/** The step that waits for a person or for the visitor's page, or null. */
export function waitingStep({ phase }: { readonly phase: Phase }): WaitingStep | null {
  return phase.type === 'waiting' ? phase.step : null;
}
