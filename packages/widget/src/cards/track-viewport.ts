import { backGesture } from './back-gesture.ts';

const focusable = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)';
const fullScreen = '(max-width: 479px), (max-height: 499px)';

/**
 * Keeps a full-screen panel above the on-screen keyboard, the page behind it still and the focus inside. With the name of an entry for
 * the browser's history, Back closes it.
 */
export function trackViewport(panel: HTMLElement, entry: string | undefined, close: () => void) {
  const viewport = globalThis.visualViewport;
  const media = matchMedia(fullScreen);
  const page = document.documentElement.style;
  const bubble = panel.dataset.mode === 'bubble';
  let overflow: string | null = null;
  let isOpen = false;

  const fit = () => {
    const covers = bubble && isOpen && media.matches;
    panel.ariaModal = covers ? 'true' : null;
    back?.covers(covers);
    if (covers) {
      // What a visitor sees of a page that is zoomed with two fingers is a part of the panel, not its place.
      if (viewport && viewport.scale < 1.01) {
        panel.style.setProperty('--viewport-top', `${viewport.offsetTop}px`);
        panel.style.setProperty('--viewport-height', `${viewport.height}px`);
      }
      overflow ??= page.getPropertyValue('overflow');
      page.setProperty('overflow', 'hidden');
    } else if (overflow !== null) {
      page.setProperty('overflow', overflow);
      overflow = null;
    }
  };
  const ending = new AbortController();
  const { signal } = ending;
  const keepFocus = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || !panel.ariaModal) return;
    const stops = [...panel.querySelectorAll<HTMLElement>(focusable)].filter((each) =>
      each.checkVisibility(),
    );
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if ((panel.getRootNode() as ShadowRoot).activeElement !== from) return;
    event.preventDefault();
    to?.focus();
  };
  panel.addEventListener('keydown', keepFocus, { signal });
  const back = entry === undefined ? undefined : backGesture(entry, close, signal);
  viewport?.addEventListener('resize', fit, { signal });
  viewport?.addEventListener('scroll', fit, { signal });
  media.addEventListener('change', fit, { signal });
  return {
    fit(open: boolean) {
      isOpen = open;
      fit();
    },
    release() {
      isOpen = false;
      fit();
      ending.abort();
    },
  };
}
