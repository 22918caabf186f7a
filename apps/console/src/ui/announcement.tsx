import { signal } from '@preact/signals';

const shownMs = 5_000;
const said = signal({ text: '', count: 0 });
let timer = 0;

/** Says that something was done, to eyes and to ears. */
export function announce(text: string): void {
  said.value = { text, count: said.peek().count + 1 };
  clearTimeout(timer);
  timer = window.setTimeout(() => (said.value = { ...said.peek(), text: '' }), shownMs);
}

/** The same words are a new paragraph, without which a screen reader says them once. */
export function Announcement() {
  const { text, count } = said.value;
  return (
    <div class="announcement" role="status">
      {text && <p key={count}>{text}</p>}
    </div>
  );
}
