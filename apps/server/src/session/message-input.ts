import type { InputResponse } from '@parley/protocol/ask';
import type { ActionResult } from '@parley/protocol/client-tool';
import type { ResolvedMessage } from './message-files.ts';
import type { TurnInput } from './queue-item.ts';

/** What a visitor or a server sends: a message, answers, or both. */
export interface MessageInput extends Omit<TurnInput, 'kind' | 'message'> {
  readonly message: ResolvedMessage | null;
}

export const emptyInput = {
  responses: [] as readonly InputResponse[],
  results: [] as readonly ActionResult[],
  clientTools: null,
  context: [] as readonly string[],
  outputSchema: null,
  timeLimitMs: null,
  messageId: null,
  replaces: null,
  visitor: null,
};
