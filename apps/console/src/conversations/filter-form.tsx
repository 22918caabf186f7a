import { useEffect, useRef } from 'preact/hooks';
import { Field } from '../ui/field.tsx';
import { type Filters, filters, noFilters } from './filters.ts';

/** How long somebody who types is waited for. */
const typingMs = 300;

interface FilterFormProps {
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
  readonly isFiltered: boolean;
}

/** What to look for. Every change is looked for at once. */
export function FilterForm({ agents, isFiltered }: FilterFormProps) {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const chosen = filters.value;
  const choose = (name: keyof Filters) => ({
    value: chosen[name],
    onInput({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) {
      clearTimeout(timer.current);
      const apply = () => (filters.value = { ...filters.value, [name]: value });
      if (name === 'search') timer.current = window.setTimeout(apply, typingMs);
      else apply();
    },
  });
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="Search">
          <input
            type="search"
            maxLength={200}
            placeholder="First message, visitor or id"
            autocomplete="off"
            {...choose('search')}
          />
        </Field>
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
        <Field label="From">
          <input type="date" {...choose('from')} />
        </Field>
        <Field label="To">
          <input type="date" {...choose('to')} />
        </Field>
        {isFiltered && (
          <button type="button" class="button" onClick={() => (filters.value = noFilters)}>
            Clear
          </button>
        )}
      </form>
    </search>
  );
}
