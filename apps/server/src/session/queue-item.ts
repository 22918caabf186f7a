import type { InputResponse } from '@parley/protocol/ask';
import type { ActionResult, ClientTool } from '@parley/protocol/client-tool';
import { messagePartSchema } from '@parley/protocol/event';
import { z } from 'zod';
import { automationId } from '../store/inbox-store.ts';

export const messageBodySchema = z.strictObject({
  /** Flat text, as `message.received` shows it. */
  text: z.string(),
  parts: z.array(messagePartSchema).readonly(),
  /** Ids of stored files, in the order of the file parts that have bytes. */
  fileIds: z.array(z.string()).readonly(),
  /** What its sender calls the message. */
  clientMessageId: z.string().exactOptional(),
  /** What the model reads instead of `text`. */
  modelText: z.string().exactOptional(),
});

export type MessageBody = z.infer<typeof messageBodySchema>;

/** The request that sent something, as the log and the traces know it. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly traceparent?: string;
}

/** A message, answers, results, or several of them: the work of one turn. */
export interface TurnInput {
  readonly kind: 'delivery';
  readonly message: MessageBody | null;
  readonly responses: readonly InputResponse[];
  /** What came of calls that were given to the page. */
  readonly results: readonly ActionResult[];
  /** The page's functions from this turn on; null: as before. */
  readonly clientTools: readonly ClientTool[] | null;
  readonly context: readonly string[];
  readonly outputSchema: Record<string, unknown> | null;
  /** Milliseconds the turn may take, or null for no bound. */
  readonly timeLimitMs: number | null;
  /** The UI message that carries it: the user's, or for answers the assistant's that they are part of. */
  readonly messageId: string | null;
  /** From which turn on the conversation is taken back. */
  readonly replaces: EditTarget | null;
  /** The visitor that the turn acts for: whoever the sender has proved to be, or null. */
  readonly visitor: string | null;
  /** The first event that the author of the message had not been shown, where that is known. */
  readonly shownIndex?: number;
  readonly origin?: RequestOrigin;
}

/** The turn of a UI message; where there is none of it, the last turn if it began with this very text. */
export interface EditTarget {
  readonly messageId?: string;
  readonly lastText?: string;
}

/** Somebody of the team, as the conversation names them. */
export const teamMemberSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  avatarUrl: z.string().exactOptional(),
});

export type TeamMember = z.infer<typeof teamMemberSchema>;

/** As the mailbox of a link answers that is no member’s. */
export const mailboxMember = (address: string): TeamMember => ({
  id: `mail:${address.toLowerCase()}`,
  name: address,
});

const webhookPrefix = 'webhook:';

/** As whom the link that a webhook was told of answers. */
export const webhookMember = ({ id, name }: TeamMember): TeamMember => ({
  id: `${webhookPrefix}${id}`,
  name,
});

/** The webhook that answers as this; null: it is none. */
export const webhookIdOf = (memberId: string): string | null =>
  memberId.startsWith(webhookPrefix) ? memberId.slice(webhookPrefix.length) : null;

/** Whether it is a member, whom nobody else is: no shared token, no mailbox that several may read, and no program. */
export const isSomebody = ({ id }: TeamMember): boolean =>
  id !== automationId && !id.startsWith('mail:') && webhookIdOf(id) === null;

/** What a member of the team does in a conversation. */
export type TeamAction =
  | { readonly kind: 'take-over'; readonly member: TeamMember }
  | {
      readonly kind: 'team-message';
      readonly member: TeamMember;
      readonly text: string;
      /** The question of the agent that it answers: it is for the agent and not for the visitor. */
      readonly answers?: string;
    }
  | {
      readonly kind: 'answer-approval';
      readonly member: TeamMember;
      readonly requestId: string;
      readonly optionId: 'approve' | 'deny';
    }
  /** These answer nothing: a process of the version before takes them for answers to no request, and lets go of them. */
  | {
      readonly kind: 'answer-approval';
      readonly member: TeamMember;
      readonly requestId: null;
      readonly amends: { readonly requestId: string; readonly input: Record<string, unknown> };
    }
  | {
      readonly kind: 'answer-approval';
      readonly member: TeamMember;
      readonly requestId: null;
      readonly delegates: {
        readonly requestId: string;
        readonly to: Pick<TeamMember, 'id' | 'name'>;
        readonly line: string | null;
      };
    }
  /** For the agent alone. */
  | { readonly kind: 'whisper'; readonly member: TeamMember; readonly text: string }
  | {
      readonly kind: 'hand-back';
      readonly member: TeamMember;
      /** What the agent is told of what was said meanwhile; null: nothing. */
      readonly summary: string | null;
      /** Also where another member holds it. */
      readonly force: boolean;
    };

export type ApprovalAnswer = Extract<TeamAction, { kind: 'answer-approval'; requestId: string }>;
export type Amendment = Extract<TeamAction, { amends: object }>;
export type Delegation = Extract<TeamAction, { delegates: object }>;

export type QueueItemBody =
  | TurnInput
  | TeamAction
  | { readonly kind: 'clear' }
  | { readonly kind: 'compact' };

/** The assistant's UI message that a turn goes on with, or null when it begins one. */
export function continuedMessage({ message, messageId }: TurnInput): string | null {
  return message === null ? messageId : null;
}
