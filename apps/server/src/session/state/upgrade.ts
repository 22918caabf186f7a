import { inputRequestSchema, inputResponseSchema } from '@parley/protocol/ask';
import { usageSchema } from '@parley/protocol/event';
import { z } from 'zod';
import { assistantPartSchema, isJsonObject, toolOutputSchema } from '../../model/message.ts';
import { messageBodySchema } from '../queue-item.ts';
import { type Call, type Phase, idle } from './phase.ts';
import {
  type SessionState,
  clientToolSchema,
  messageIdSchema,
  sessionStateSchema,
  stateVersion,
} from './schema.ts';

const strings = z.array(z.string());
const jsonObject = z.custom<Record<string, unknown>>(isJsonObject);

const journaledCall = z.strictObject({
  callId: z.string(),
  toolName: z.string(),
  input: jsonObject,
  result: toolOutputSchema.nullable(),
  fingerprint: z.string().optional(),
});

const nextMessage = z.strictObject({ body: messageBodySchema, context: strings, received: z.boolean() });

const openStep = z.strictObject({
  content: z.array(assistantPartSchema),
  calls: z.array(journaledCall),
  requests: z.array(inputRequestSchema),
  delegated: strings,
  usage: usageSchema,
  historyTurn: z.number(),
  resumed: z.boolean(),
  context: strings,
});

const openTurn = z.strictObject({
  sequence: z.number(),
  itemId: z.string(),
  wholeFrom: z.number(),
  from: z.number(),
  stepIndex: z.number(),
  step: openStep.nullable(),
  next: z.array(nextMessage),
  outputSchema: jsonObject.nullable(),
  continues: z.string().nullable(),
  deadline: z.number().nullable(),
  visitor: z.string().nullable(),
  unattended: z.literal(true).optional(),
});

const parkedStep = z.strictObject({
  sequence: z.number(),
  stepIndex: z.number(),
  content: z.array(assistantPartSchema),
  calls: z.array(journaledCall),
  requests: z.array(
    z.strictObject({
      request: inputRequestSchema,
      answer: inputResponseSchema.nullable(),
      expiresAt: z.number().optional(),
      expired: z.literal(true).optional(),
    }),
  ),
  delegated: strings,
  held: z.array(nextMessage),
  context: strings,
  unattended: z.literal(true).optional(),
});

const summary = z.strictObject({ text: z.string(), through: z.number() });

/** A state as it was stored before states had a version. */
const unversionedSchema = z.strictObject({
  mayAsk: z.boolean(),
  clientTools: z.array(clientToolSchema),
  nextTurn: z.number(),
  turn: openTurn.nullable(),
  parked: parkedStep.nullable(),
  approvedTools: strings,
  clearedThrough: z.number(),
  summary: summary.extend({ previous: summary.nullish() }).nullable(),
  promptTokens: z.number().optional(),
  messageIds: z.array(messageIdSchema),
});

/** Nobody but the agent could answer. */
const versionOneSchema = sessionStateSchema.omit({ hold: true }).extend({ version: z.literal(1) });

/** Throws a ZodError for what the version has not stored. */
export function upgradeVersionOne(stored: unknown): SessionState {
  return { ...versionOneSchema.parse(stored), version: stateVersion, hold: null };
}

type Unversioned = z.infer<typeof unversionedSchema>;

/** Throws a ZodError for what no version has stored. */
export function upgradeUnversioned(stored: unknown): SessionState {
  const { mayAsk, turn, parked, clearedThrough, ...state } = unversionedSchema.parse(stored);
  return {
    ...state,
    version: stateVersion,
    hold: null,
    phase: phaseOf(turn, parked),
    mode: 'conversation',
    canRequestInput: mayAsk,
    clearedUpTo: clearedThrough,
    summary: state.summary && { ...state.summary, previous: state.summary.previous ?? null },
    promptTokens: state.promptTokens ?? null,
  };
}

function phaseOf(turn: Unversioned['turn'], parked: Unversioned['parked']): Phase {
  if (turn) {
    const { step, from, next, unattended = false, ...rest } = turn;
    const usage = { inputTokens: 0, outputTokens: 0 };
    const open = { ...rest, fromIndex: from, followUps: next, usage, firstDeltaAt: null, unattended };
    if (!step) return { type: 'model', turn: open };
    const { delegated, calls, ...said } = step;
    return {
      type: 'tools',
      turn: open,
      step: { ...said, calls: calls.map(callOf), clientCallIds: delegated },
    };
  }
  if (!parked) return idle;
  const { delegated, calls, requests, unattended = false, ...rest } = parked;
  return {
    type: 'waiting',
    step: {
      ...rest,
      calls: calls.map(callOf),
      requests: requests.map(({ request, answer, expiresAt = null, expired = false }) => ({
        request,
        response: answer,
        expiresAt,
        expired,
        by: 'visitor',
      })),
      clientCallIds: delegated,
      unattended,
    },
  };
}

function callOf({ fingerprint, ...call }: z.infer<typeof journaledCall>): Call {
  return { ...call, fingerprint: fingerprint ?? null };
}
