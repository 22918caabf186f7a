import { useEffect, useRef } from 'preact/hooks';
import { leaveField } from './leave-field.ts';
import { useKeys } from './use-keys.ts';

/** How long somebody who types is waited for. */
const typingMs = 300;

interface InboxSearchProps {
  readonly value: string;
  readonly search: (words: string) => void;
}

/** What is looked for in the view that is open: `/` goes there, Escape empties it and leaves. */
export function InboxSearch({ value, search }: InboxSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  useKeys({ '/': () => field.current?.select() });
  const apply = (words: string) => {
    clearTimeout(timer.current);
    search(words.trim());
  };
  return (
    <search class="inbox-search">
      <input
        ref={field}
        type="search"
        maxLength={200}
        autocomplete="off"
        aria-label="Search in this view"
        placeholder="Words, visitor or id"
        defaultValue={value}
        onInput={({ currentTarget: { value: words } }) => {
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => apply(words), typingMs);
        }}
        // Whoever is quicker than that has left the field.
        onChange={({ currentTarget }) => apply(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply(event.currentTarget.value);
          if (event.key !== 'Escape') return;
          event.currentTarget.value = '';
          apply('');
          leaveField(event.currentTarget);
        }}
      />
    </search>
  );
}
