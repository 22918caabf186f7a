import { backGesture } from './back-gesture.ts';
import { keepFocus } from './keep-focus.ts';

const fullScreen = '(max-width: 479px), (max-height: 499px)';

/** The panels that cover this page; the last that goes gives back how it scrolled. */
const covering = new Set<HTMLElement>();
let overflow = '';

/**
 * Keeps the focus in the panel, and a full-screen one above the on-screen keyboard and the page behind it still. With
 * the name of an entry for the browser's history, Back closes it.
 */
export function trackViewport(panel: HTMLElement, entry: string | undefined, close: () => void) {
  const viewport = globalThis.visualViewport;
  const media = matchMedia(fullScreen);
  const page = document.documentElement.style;
  const bubble = panel.dataset.mode === 'bubble';
  let isOpen = false;

  const fit = () => {
    const covers = bubble && isOpen && media.matches;
    panel.ariaModal = covers ? 'true' : null;
    back?.covers(covers);
    if (covers) {
      // What a visitor sees of a page that is zoomed with two fingers is a part of the panel, not its place.
      if (viewport && viewport.scale < 1.01) {
        panel.style.setProperty('--parley-viewport-top', `${viewport.offsetTop}px`);
        panel.style.setProperty('--parley-viewport-height', `${viewport.height}px`);
      }
      if (covering.size === 0) overflow = page.overflow;
      covering.add(panel);
      page.overflow = 'hidden';
    } else if (covering.delete(panel) && covering.size === 0) page.overflow = overflow;
  };
  const ending = new AbortController();
  const { signal } = ending;
  keepFocus(panel);
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
