import type { InputResponse } from '@parley/protocol/ask';
import type { ActionResult, ClientTool } from '@parley/protocol/client-tool';
import { messagePartSchema } from '@parley/protocol/event';
import { z } from 'zod';

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
  readonly replaces: Replaced | null;
  /** The visitor that the turn acts for: whoever the sender has proved to be, or null. */
  readonly visitor: string | null;
  /** The first event that the author of the message had not been shown, where that is known. */
  readonly shownIndex?: number;
}

/** The turn of a UI message, or the last turn if it began with this very text. */
export type Replaced = { readonly messageId: string } | { readonly lastText: string };

export type QueueItemBody = TurnInput | { readonly kind: 'clear' } | { readonly kind: 'compact' };

/** The assistant's UI message that a turn goes on with, or null when it begins one. */
export function continuedMessage({ message, messageId }: TurnInput): string | null {
  return message === null ? messageId : null;
}
