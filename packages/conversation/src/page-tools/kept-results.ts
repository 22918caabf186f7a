import type { ActionResult } from '@parley/protocol/client-tool';
import type { ConversationStorage } from '../storage/conversation-storage.ts';

/** Of one result as JSON; a longer one is known to its page alone. */
const maxCharacters = 20_000;
const maxResults = 5;

/** Of calls of page tools that ran here, what the service may not have yet: the next page sends it, and runs nothing again. */
const read = (storage: ConversationStorage): ActionResult[] =>
  [storage.readObject('results') ?? []].flat().filter(Boolean) as ActionResult[];

const write = (storage: ConversationStorage, results: readonly ActionResult[]) =>
  storage.set('results', results.length > 0 ? JSON.stringify(results) : '');

export const findResult = (storage: ConversationStorage, callId: string): ActionResult | undefined =>
  read(storage).find((each) => each.callId === callId);

export function keepResult(storage: ConversationStorage, result: ActionResult): void {
  if (JSON.stringify(result).length <= maxCharacters)
    write(storage, [...read(storage), result].slice(-maxResults));
}

export function forgetResult(storage: ConversationStorage, callId: string): void {
  write(
    storage,
    read(storage).filter((each) => each.callId !== callId),
  );
}
