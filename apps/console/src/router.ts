import { computed, signal } from '@preact/signals';

/** The screen stands in the fragment, which no server is told of: the token of an invitation is in it too. */
const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

/** The parts of the path, as in `['agents', 'agent_1']`. */
export const path = computed(() =>
  hash.value
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean),
);

export const linkTo = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

export function go(...parts: readonly string[]): void {
  location.hash = linkTo(...parts);
}

/** The same, and Back leads to where one was before. */
export function goInstead(...parts: readonly string[]): void {
  history.replaceState(null, '', linkTo(...parts));
  hash.value = location.hash;
}
