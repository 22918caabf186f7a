import type { InboxItem } from '@parley/protocol/settings/inbox';
import type { ConversationSummary } from '../../store/conversation-store.ts';
import type { ThreadRecord } from '../../store/inbox-store.ts';
import { conversationView } from '../conversations/conversation-view.ts';

/** Who answers, who looks after it, whom it waits for and since when the visitor has waited. */
export const standing = (thread: ThreadRecord | undefined) => ({
  holder: thread?.holder ?? null,
  assignee: thread?.assignee ?? null,
  askedOf: thread?.askedOf ?? null,
  askedOfIds: [...(thread?.askedOfIds ?? [])],
  waitingSince: thread?.waitingSince == null ? null : new Date(thread.waitingSince).toISOString(),
});

/** A conversation as the list of the team has it. */
export const inboxItem = (
  conversation: ConversationSummary,
  thread: ThreadRecord | undefined,
): InboxItem => ({
  ...conversationView(conversation),
  ...standing(thread),
  notes: thread?.notes ?? 0,
});
