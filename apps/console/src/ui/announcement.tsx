import { signal } from '@preact/signals';

const shownMs = 5_000;
const said = signal('');
let timer = 0;

/** Says that something was done, to eyes and to ears. */
export function announce(text: string): void {
  said.value = text;
  clearTimeout(timer);
  timer = window.setTimeout(() => (said.value = ''), shownMs);
}

export const Announcement = () => (
  <div class="announcement" role="status">
    {said.value && <p>{said.value}</p>}
  </div>
);
