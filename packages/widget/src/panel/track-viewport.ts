import { effect, type ReadonlySignal } from '@preact/signals';

const fullScreen = '(max-width: 479px), (max-height: 499px)';

/** Keeps a full-screen panel above the on-screen keyboard, and the page behind it still. Returns the release. */
export function trackViewport(panel: HTMLElement, isOpen: ReadonlySignal<boolean>): () => void {
  const viewport = globalThis.visualViewport;
  const media = matchMedia(fullScreen);
  const page = document.documentElement;
  if (panel.dataset.mode === 'inline') return () => {};

  return effect(() => {
    if (!isOpen.value) return;
    let overflow: string | null = null;
    const fit = () => {
      panel.style.setProperty('--viewport-top', `${viewport?.offsetTop ?? 0}px`);
      if (viewport) panel.style.setProperty('--viewport-height', `${viewport.height}px`);
      if (media.matches && overflow === null) {
        overflow = page.style.getPropertyValue('overflow');
        page.style.setProperty('overflow', 'hidden');
      } else if (!media.matches) unlock();
      panel.ariaModal = media.matches ? 'true' : null;
    };
    const unlock = () => {
      if (overflow !== null) page.style.setProperty('overflow', overflow);
      overflow = null;
    };
    fit();
    viewport?.addEventListener('resize', fit);
    viewport?.addEventListener('scroll', fit);
    media.addEventListener('change', fit);
    return () => {
      unlock();
      viewport?.removeEventListener('resize', fit);
      viewport?.removeEventListener('scroll', fit);
      media.removeEventListener('change', fit);
    };
  });
}
