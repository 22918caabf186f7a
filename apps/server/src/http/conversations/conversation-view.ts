import type { ConversationView } from '@parley/protocol/settings/conversation';
import type { ConversationSummary } from '../../store/conversation-store.ts';

export const conversationView = ({
  createdAt,
  activeAt,
  ...summary
}: ConversationSummary): ConversationView => ({
  ...summary,
  createdAt: new Date(createdAt).toISOString(),
  activeAt: new Date(activeAt).toISOString(),
});
