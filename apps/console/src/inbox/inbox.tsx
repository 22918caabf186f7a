import type { AgentView } from '@parley/protocol/settings/agent';
import type { InboxItem, InboxView } from '@parley/protocol/settings/inbox';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isAtLeast, tenant } from '../api/member.ts';
import { go, linkTo } from '../router.ts';
import { Empty } from '../ui/empty.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { NoAgents } from '../ui/no-agents.tsx';
import { Page } from '../ui/page.tsx';
import { today } from '../ui/today.ts';
import { useAll } from '../ui/use-all.ts';
import { useForm } from '../ui/use-form.ts';
import { type Colleague, useColleagues } from './colleagues.ts';
import { type InboxFilter, InboxFilters } from './inbox-filters.tsx';
import { InboxList } from './inbox-list.tsx';
import { InboxSearch } from './inbox-search.tsx';
import { InboxThread } from './inbox-thread.tsx';
import { KeyHelp } from './key-help.tsx';
import { roomKey } from './room-key.ts';
import { TeamSettingsScreen } from './team-settings.tsx';
import { unknownAgents } from './unknown-agents.ts';
import { useInboxList } from './use-inbox-list.ts';
import { namesOf, usePresence } from './use-presence.ts';

const inboxViews: readonly InboxView[] = ['waiting', 'mine', 'unassigned', 'all'];
const names: Record<InboxView, string> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  waiting: 'Waiting',
  all: 'All',
};
const nothing: Record<InboxView, string> = {
  mine: 'Nothing is yours at the moment.',
  unassigned: 'Somebody looks after every open conversation.',
  waiting: 'Nobody waits for a person.',
  all: 'Nobody has written yet.',
};

/** What comes to stand there. */
const next: Record<InboxView, string> = {
  mine: 'What you take over, are assigned or are handed an approval of is listed here.',
  unassigned: 'What begins from now on is listed here until somebody takes care of it.',
  waiting: 'An agent that needs an approval, or somebody who asks for a person, is listed here.',
  all: 'Every conversation in the widget is listed here, whoever answers.',
};

/** Where the team answers: what waits on the left, one conversation on the right. */
export function Inbox({ view, id }: { readonly view: string | undefined; readonly id: string | undefined }) {
  const of = tenant.value;
  if (view === 'settings' && isAtLeast('admin')) return <TeamSettingsScreen />;
  const chosen = inboxViews.find((each) => each === view) ?? 'waiting';
  return (
    <Page
      title="Inbox"
      action={
        <div class="actions">
          {isAtLeast('admin') && (
            <a class="button" href={linkTo('inbox', 'settings')}>
              Settings
            </a>
          )}
          <KeyHelp />
        </div>
      }
    >
      {of ? (
        <Room key={of.id} tenantId={of.id} view={chosen} id={id} />
      ) : (
        <NoAgents why="Here you answer where an agent cannot, or should not, on its own." />
      )}
    </Page>
  );
}

interface RoomProps {
  readonly tenantId: string;
  readonly view: InboxView;
  readonly id: string | undefined;
}

function Room({ tenantId, view, id }: RoomProps) {
  const {
    items: knownAgents,
    problem: agentsProblem,
    reload: reloadAgents,
  } = useAll<Pick<AgentView, 'id' | 'name'>>(`/agents?tenantId=${tenantId}`);
  const agents = knownAgents ?? [];
  const { values: searched, set: setSearched } = useForm({
    name: `inbox search of ${tenantId}`,
    initial: { words: '' },
  });
  const { words } = searched;
  const { values: kept, change: setFilter } = useForm({
    name: `inbox filters of ${tenantId}`,
    initial: { agentId: '', memberId: '' },
  });
  const { colleagues, listEvents } = useColleagues(tenantId);
  const filter = filterOfThese(kept, agents, colleagues);
  const present = usePresence(tenantId, id);
  const list = useInboxList(tenantId, view, words, filter, id);
  const { items: listed, problem, isLoading, isSparse, more, told } = list;
  const items = listed ?? [];
  // Those that were made since the inbox was opened, and all where the first read failed.
  const areAgentsRead = knownAgents !== null || agentsProblem !== null;
  const hasUnknown = useMemo(unknownAgents, []);
  useEffect(() => {
    if (listed && areAgentsRead && hasUnknown(listed, knownAgents ?? [])) void reloadAgents();
  }, [listed, areAgentsRead, knownAgents, hasUnknown, reloadAgents]);
  useListKeys(view, id, items);
  return (
    <div class="inbox" data-open={id !== undefined || undefined}>
      <section class="inbox-list card" aria-label="Conversations">
        <nav class="tabs" aria-label="Views">
          {inboxViews.map((each) => (
            <a
              key={each}
              href={linkTo('inbox', each)}
              aria-current={each === view ? 'page' : undefined}
              onClick={() => setFilter({ memberId: '' })}
            >
              {names[each]}
            </a>
          ))}
        </nav>
        <InboxSearch value={words} search={(looked) => setSearched('words', looked)} />
        <InboxFilters
          view={view}
          filter={filter}
          agents={agents}
          colleagues={colleagues ?? []}
          listEvents={listEvents}
          change={setFilter}
        />
        {present.length > 0 && <p class="inbox-present meta">Also here: {namesOf(present)}</p>}
        {problem && <Problem>{problem}</Problem>}
        {listed === null && !problem && <Loading />}
        {listed !== null && items.length === 0 && !more && <Nothing view={view} words={words} />}
        {items.length > 0 && (
          <InboxList
            items={items}
            agents={agents}
            now={today.value}
            view={view}
            words={words}
            current={id}
            more={isSparse ? null : more}
          />
        )}
        {isLoading && items.length > 0 && <p class="meta inbox-looking">Looking…</p>}
        {more && isSparse && !isLoading && (
          <button type="button" class="button" onClick={more}>
            Look further
          </button>
        )}
      </section>
      {id === undefined ? (
        <div class="inbox-nothing">
          {listed?.length === 0 && words === '' ? (
            <Empty icon="inbox" title="All quiet">
              <p class="lead">{next[view]}</p>
            </Empty>
          ) : listed?.length === 0 ? (
            <Empty icon="inbox" title={more ? 'Nothing found yet' : 'Nothing found'}>
              <p class="lead">Fewer words find more. A conversation is also found by its id.</p>
            </Empty>
          ) : (
            <Empty icon="inbox" title="Choose a conversation">
              <p class="lead">
                <kbd>j</kbd> and <kbd>k</kbd> go through the list.
              </p>
            </Empty>
          )}
        </div>
      ) : (
        <InboxThread
          key={id}
          id={id}
          back={linkTo('inbox', view)}
          mayWrite={isAtLeast('agent')}
          told={told}
          present={present.filter(({ conversationId }) => conversationId === id)}
        />
      )}
    </div>
  );
}

/** What is kept may name an agent or a colleague that is gone since. */
function filterOfThese(
  kept: InboxFilter,
  agents: readonly { readonly id: string }[],
  colleagues: readonly Colleague[] | null,
): InboxFilter {
  const isGone = (id: string, all: readonly { readonly id: string }[] | null) =>
    all !== null && all.length > 0 && all.every((each) => each.id !== id);
  return {
    agentId: isGone(kept.agentId, agents) ? '' : kept.agentId,
    memberId: isGone(kept.memberId, colleagues) ? '' : kept.memberId,
  };
}

function Nothing({ view, words }: { readonly view: InboxView; readonly words: string }) {
  if (words === '') return <p class="inbox-empty meta">{nothing[view]}</p>;
  return (
    <p class="inbox-empty meta">
      {view === 'all'
        ? 'No conversation has these words.'
        : `No conversation in “${names[view]}” has these words.`}{' '}
      {view !== 'all' && <a href={linkTo('inbox', 'all')}>Look in all of them</a>}
    </p>
  );
}

/** `j` and `k` go to the next conversation and the one before, on and on while they are held. */
function useListKeys(view: InboxView, id: string | undefined, items: readonly InboxItem[]): void {
  const latest = useRef({ view, id, items });
  latest.current = { view, id, items };
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = roomKey(event);
      if (key !== 'j' && key !== 'k') return;
      const { items: known, id: current, view: of } = latest.current;
      const at = known.findIndex((item) => item.id === current);
      const next = known[at === -1 ? 0 : at + (key === 'j' ? 1 : -1)];
      if (next) go('inbox', of, next.id);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
