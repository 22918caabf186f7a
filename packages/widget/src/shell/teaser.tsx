import { render } from 'preact';
import { Icon } from '../ui/icon.tsx';
import { adoptStyles } from '../ui/adopt-styles.ts';
import css from './teaser.css?inline';

export type Greeting = {
  root: ShadowRoot;
  panel: HTMLElement;
  launcher: HTMLButtonElement;
  /** Where `sessionStorage` notes that the panel was opened or the teaser sent away: then there is none. */
  storageKey: string;
  text: string;
  /** What closing it is called. */
  close: string;
  signal: AbortSignal;
};

/** A line beside the launcher for who has neither opened the panel in this tab nor ever said anything. */
export function offerTeaser({ root, panel, launcher, storageKey, text, close, signal }: Greeting): void {
  if (launcher.hidden || signal.aborted || isKnown(storageKey)) return;
  adoptStyles(root, css);
  const bubble = document.createElement('div');
  bubble.className = 'teaser';
  bubble.dataset.theme = panel.dataset.theme;
  bubble.setAttribute('role', 'status');
  root.append(bubble);

  const remove = () => {
    render(null, bubble);
    bubble.remove();
  };
  const dismiss = () => {
    const hadFocus = bubble.contains(root.activeElement);
    remove();
    if (hadFocus) launcher.focus({ preventScroll: true });
    try {
      sessionStorage.setItem(storageKey, '');
    } catch {
      // Storage has been blocked since: it comes again on the next page.
    }
  };
  root.host.addEventListener('parley:open', remove, { once: true, signal });
  signal.addEventListener('abort', remove);
  bubble.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) dismiss();
  });
  // A screen reader tells what comes into a region that was there before.
  requestAnimationFrame(() => {
    if (!bubble.isConnected) return;
    render(
      <>
        <button type="button" class="teaser-text" dir="auto" onClick={() => launcher.click()}>
          {text}
        </button>
        <button type="button" class="teaser-close" aria-label={close} title={close} onClick={dismiss}>
          <Icon name="close" />
        </button>
      </>,
      bubble,
    );
  });
}

function isKnown(storageKey: string): boolean {
  try {
    return sessionStorage.getItem(storageKey) !== null || localStorage.getItem(storageKey) !== null;
  } catch {
    // Where a dismissal cannot be remembered, nothing is offered.
    return true;
  }
}
