import type { ConversationCore } from '../conversation-core.ts';
import { createIdentification } from '../identity/identify.ts';
import { ownData } from '../storage/own-data.ts';
import { forgetTakenBack } from '../outbox/forget-taken-back.ts';
import { tellEvents } from '../transcript/conversation-events.ts';
import { runTools } from './run-tools.ts';

export { shareSession } from '../tabs/share-session.ts';
export type Serving = ReturnType<typeof createServing>;

/** What a page asks of a conversation and is told of it, and a visitor asks of the service besides; beside it, what reads in one tab for all. It is loaded last. */
export function createServing(core: ConversationCore) {
  tellEvents(core);
  forgetTakenBack(core);
  return { ...createIdentification(core), ...ownData(core), runTools: runTools(core) };
}
