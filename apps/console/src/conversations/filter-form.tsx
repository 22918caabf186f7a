import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../ui/field.tsx';
import { type Filters, noFilters } from './filters.ts';

/** How long somebody who types is waited for. */
const typingMs = 300;

interface FilterFormProps {
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
  readonly chosen: Filters;
  readonly change: (changes: Partial<Filters>) => void;
  readonly isFiltered: boolean;
}

/** What to look for. Every change is looked for at once. */
export function FilterForm({ agents, chosen, change, isFiltered }: FilterFormProps) {
  const timer = useRef(0);
  /** Where there is room for all of them, they are always there. */
  const [isOpen, setOpen] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { search: _, ...beside } = chosen;
  const count = Object.values(beside).filter((value) => value !== '').length;
  /** What was typed, until it is looked for. */
  const typed = useRef<string | null>(null);
  const apply = (changes: Partial<Filters>) => {
    clearTimeout(timer.current);
    change({ ...(typed.current !== null && { search: typed.current }), ...changes });
    typed.current = null;
  };
  const choose = (name: keyof Filters) => ({
    value: name === 'search' ? (typed.current ?? chosen.search) : chosen[name],
    onInput({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) {
      if (name !== 'search') return apply({ [name]: value });
      typed.current = value;
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => apply({}), typingMs);
    },
  });
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="Search">
          <input
            type="search"
            maxLength={200}
            placeholder="Words, visitor or id"
            autocomplete="off"
            {...choose('search')}
          />
        </Field>
        <button
          type="button"
          class="button filters-toggle"
          aria-expanded={isOpen}
          aria-controls="filter-fields"
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </button>
        <div class="filter-fields" id="filter-fields" data-open={isOpen || undefined}>
          <Field label="Agent">
            <select {...choose('agentId')}>
              <option value="">All agents</option>
              {agents.map(({ id, name = id }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <Field label="Status">
            <select {...choose('status')}>
              <option value="">Any</option>
              <option value="open">Open</option>
              <option value="waiting">Waiting</option>
              <option value="ended">Ended</option>
            </select>
          </Field>
          <Field label="Rating">
            <select {...choose('rating')}>
              <option value="">Any</option>
              <option value="up">Helpful</option>
              <option value="down">Not helpful</option>
            </select>
          </Field>
          <Field label="From (UTC)">
            <input type="date" {...choose('from')} />
          </Field>
          <Field label="To (UTC)">
            <input type="date" {...choose('to')} />
          </Field>
          {isFiltered && (
            <button type="button" class="button" onClick={() => apply(noFilters)}>
              Clear
            </button>
          )}
        </div>
      </form>
    </search>
  );
}
