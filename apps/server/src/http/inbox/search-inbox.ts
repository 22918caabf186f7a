import type { InboxItem } from '@parley/protocol/settings/inbox';
import { maxSearched, type MessageSearch } from '../../search/message-search.ts';
import { wordsOfQuery } from '../../search/message-terms.ts';
import type { ConversationSummary, InboxOf } from '../../store/conversation-store.ts';
import type { Page } from '../../store/page.ts';
import type { Store } from '../../store/store.ts';
import { inboxItem } from './inbox-item.ts';

/** Messages with the words that are looked at for one page. */
const maxLookedAt = 200;

interface InboxSearch {
  readonly tenantId: string;
  readonly agentIds: readonly string[];
  readonly inbox: InboxOf;
  readonly search: string;
  readonly after: string | null;
  readonly limit: number;
}

/** Of the team's conversations those that somebody looks for, by words of their messages or by an id. */
export async function searchInbox(
  { store, messages }: { readonly store: Store; readonly messages: MessageSearch },
  { tenantId, agentIds, inbox, search, after, limit }: InboxSearch,
): Promise<Page<InboxItem>> {
  const named = after === null ? await store.getConversation(search) : null;
  const isNamed = named?.interface === 'sessions' && agentIds.includes(named.agentId);
  if (!isNamed && after === null) await messages.catchUp();
  const page = isNamed
    ? { items: [named], next: null }
    : await found(store, {
        tenantId,
        agentIds,
        inbox,
        words: wordsOfQuery(tenantId, search),
        from: 0,
        before: Number.MAX_SAFE_INTEGER,
        after,
        limit,
        maxLookedAt,
        maxMessages: maxSearched,
      });
  const threads = await store.getThreads(page.items.map(({ id }) => id));
  const items = page.items.map((conversation) =>
    inboxItem(
      conversation,
      threads.find(({ sessionId }) => sessionId === conversation.id),
    ),
  );
  return { items, next: page.next };
}

/** Without what was said: the list shows how a conversation began. */
async function found(
  store: Store,
  query: Parameters<Store['findConversations']>[0],
): Promise<Page<ConversationSummary>> {
  const { items, next } = await store.findConversations(query);
  return { items: items.map(({ message: _message, ...summary }) => summary), next };
}
