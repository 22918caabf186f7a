import type { ConversationView } from '@parley/protocol/settings/conversation';
import { tenant } from '../api/member.ts';
import { StatusBadge } from '../conversations/badges.tsx';
import { shortTime } from '../conversations/short-time.ts';
import { linkTo } from '../router.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { today } from '../ui/today.ts';
import { useAgents } from '../ui/use-agents.ts';
import { usePages } from '../ui/use-pages.ts';

/** What was said with a contact, the newest first. */
export function ContactConversations({ contactId }: { readonly contactId: string }) {
  const agents = useAgents(tenant.value?.id ?? '');
  const { items, problem, more } = usePages<ConversationView>(`/contacts/${contactId}/conversations`, 20);
  return (
    <section class="card contact-conversations" aria-labelledby="contact-conversations">
      <h2 id="contact-conversations">Conversations</h2>
      {problem && <Problem>{problem}</Problem>}
      {items === null && !problem && <Loading />}
      {items?.length === 0 && !more && (
        <p class="meta">There are none any more: conversations are kept for a time only.</p>
      )}
      <ul>
        {items?.map(({ id, firstMessage, agentId, status, createdAt }) => (
          <li key={id}>
            <a class="contact" href={linkTo('conversations', id)}>
              <span class="row-name" dir="auto">
                {firstMessage || 'No message yet'}
              </span>
              <span class="meta about">{agents.find((agent) => agent.id === agentId)?.name ?? agentId}</span>
              <StatusBadge status={status} />
              <time class="meta when" dateTime={createdAt}>
                {shortTime(new Date(createdAt), today.value)}
              </time>
            </a>
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" class="button small" onClick={() => void more()}>
          Show more
        </button>
      )}
    </section>
  );
}
