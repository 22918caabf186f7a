import type { ClientTool } from '@parley/protocol/client-tool';
import { z } from 'zod';
import { isJsonObject } from '../../model/message.ts';
import { messageBodySchema, teamMemberSchema } from '../queue-item.ts';
import { idle, phaseSchema } from './phase.ts';

/** Raised with every change of what is stored; `upgrade.ts` reads what was stored before. */
export const stateVersion = 2;

export const clientToolSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: z.custom<ClientTool['parameters']>(isJsonObject),
});

export const messageIdSchema = z.strictObject({ turn: z.number(), messageId: z.string() });

/** A member of the team who answers instead of the agent. */
const holdSchema = z.strictObject({
  member: teamMemberSchema,
  /** Where in the log what they answer begins. */
  fromIndex: z.number(),
  /** What the visitor has written and nobody has answered yet, the last of it. */
  unanswered: z.array(messageBodySchema).readonly(),
  /** The visitor was told that nobody is there, and nobody has answered since. */
  isAwayTold: z.boolean().default(false),
});

/** What a session keeps between commits. */
export const sessionStateSchema = z.strictObject({
  version: z.literal(stateVersion),
  /** Null: the agent answers. */
  hold: holdSchema.nullable(),
  phase: phaseSchema,
  /** A task is one turn that asks nothing, and the session ends with it. */
  mode: z.enum(['conversation', 'task']),
  /** Somebody is there to answer questions and approvals. */
  canRequestInput: z.boolean(),
  /** Functions of the visitor's page that the model may call. */
  clientTools: z.array(clientToolSchema).readonly(),
  /** The sequence of the next turn: no two turns of a session have the same. */
  nextTurn: z.number(),
  /** Fingerprints of the tools with approval `once` that were approved in this session. */
  approvedTools: z.array(z.string()).readonly(),
  /** The last turn that `clear` removed from the prompt; -1 when none. */
  clearedUpTo: z.number(),
  summary: z
    .strictObject({
      text: z.string(),
      /** The last turn the summary stands for. */
      through: z.number(),
      /** The summary before it: what counts again when a turn is taken back that this one stands for. */
      previous: z.strictObject({ text: z.string(), through: z.number() }).nullable(),
    })
    .nullable(),
  /** About what the next prompt begins with: what the last model call read and said. Null before it. */
  promptTokens: z.number().nullable(),
  /** The user message that began each of the last turns, as a UI client named it: what regenerate and edit refer to. */
  messageIds: z.array(messageIdSchema).readonly(),
});

export type SessionState = z.infer<typeof sessionStateSchema>;
export type Hold = z.infer<typeof holdSchema>;
export type Summary = NonNullable<SessionState['summary']>;

export const initialState: SessionState = {
  version: stateVersion,
  hold: null,
  phase: idle,
  mode: 'conversation',
  canRequestInput: true,
  clientTools: [],
  nextTurn: 0,
  approvedTools: [],
  clearedUpTo: -1,
  summary: null,
  promptTokens: null,
  messageIds: [],
};
