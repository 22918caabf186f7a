import { tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Empty } from '../ui/empty.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { NoAgents } from '../ui/no-agents.tsx';
import { Page } from '../ui/page.tsx';
import { today } from '../ui/today.ts';
import { useAgents } from '../ui/use-agents.ts';
import { useForm } from '../ui/use-form.ts';
import { ConversationList } from './conversation-list.tsx';
import { FilterForm } from './filter-form.tsx';
import { filterQuery, noFilters } from './filters.ts';
import { useConversations } from './use-conversations.ts';

/** What was said to the agents, the last first. */
export function Conversations() {
  const of = tenant.value;
  return (
    <Page title="Conversations" lead="What visitors and your agents have said to each other.">
      {of ? (
        <Listed key={of.id} tenantId={of.id} />
      ) : (
        <NoAgents why="What visitors and your agents say to each other is kept here." />
      )}
    </Page>
  );
}

function Listed({ tenantId }: { readonly tenantId: string }) {
  const agents = useAgents(tenantId);
  // They stay while somebody reads a conversation and comes back.
  const { values: chosen, change } = useForm({
    name: `conversations of ${tenantId}`,
    initial: noFilters,
  });
  const query = filterQuery(tenantId, chosen);
  const isFiltered = query !== filterQuery(tenantId, noFilters);
  const { pages, problem, isLoading, isSparse, more } = useConversations(query);
  const isEmpty = pages !== null && pages.every((page) => page.length === 0);
  const isUnused = isEmpty && !more && !isFiltered && !problem;
  return (
    <div class="stack">
      {!isUnused && <FilterForm {...{ agents, chosen, change, isFiltered }} />}
      {problem && <Problem>{problem}</Problem>}
      {pages === null ? (
        !problem && <Loading />
      ) : isUnused ? (
        <Empty icon="conversations" title="Nobody has written yet">
          <p class="lead">
            Once an agent is on your website, what it is asked and what it answers is kept here.
          </p>
          <a class="button" href={linkTo('agents')}>
            Your agents
          </a>
        </Empty>
      ) : isEmpty && !more ? (
        <p class="notice">No conversation is like that.</p>
      ) : (
        <ConversationList
          {...{ pages, agents, isLoading, more }}
          now={today.value}
          // What failed is not asked for again by itself.
          waits={isSparse || problem !== null}
        />
      )}
    </div>
  );
}
