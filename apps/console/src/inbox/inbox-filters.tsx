import type { InboxView } from '@parley/protocol/settings/inbox';
import { member } from '../api/member.ts';
import { go } from '../router.ts';
import type { Colleague, ListEvents } from './colleagues.ts';

export interface InboxFilter {
  /** Empty: every agent. */
  readonly agentId: string;
  /** Whose are listed where the view is of one member; empty: the member’s who looks. */
  readonly memberId: string;
}

interface InboxFiltersProps {
  readonly view: InboxView;
  readonly filter: InboxFilter;
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
  readonly colleagues: readonly Colleague[];
  /** What the list of them has to tell. */
  readonly listEvents: ListEvents;
  readonly change: (filter: Partial<InboxFilter>) => void;
}

const anybody = '';

/** Of which agent, and looked after by whom. */
export function InboxFilters({ view, filter, agents, colleagues, listEvents, change }: InboxFiltersProps) {
  const own = member.value?.id ?? '';
  const others = colleagues.filter(({ id }) => id !== own);
  if (agents.length < 2 && others.length === 0) return null;
  return (
    <div class="inbox-filters">
      {agents.length > 1 && (
        <select
          aria-label="Agent"
          value={filter.agentId}
          onInput={({ currentTarget }) => change({ agentId: currentTarget.value })}
        >
          <option value="">Every agent</option>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name ?? id}
            </option>
          ))}
        </select>
      )}
      {others.length > 0 && (
        <select
          aria-label="Looked after by"
          value={view === 'mine' ? filter.memberId || own : anybody}
          {...listEvents}
          onInput={({ currentTarget: { value } }) => {
            change({ memberId: value === own ? '' : value });
            go('inbox', value === anybody ? 'all' : 'mine');
          }}
        >
          <option value={anybody}>Anybody</option>
          <option value={own}>You</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
