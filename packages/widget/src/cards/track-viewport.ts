const fullScreen = '(max-width: 479px), (max-height: 499px)';

/** Keeps a full-screen panel above the on-screen keyboard, and the page behind it still. */
export function trackViewport(panel: HTMLElement) {
  const viewport = globalThis.visualViewport;
  const media = matchMedia(fullScreen);
  const page = document.documentElement.style;
  const bubble = panel.dataset.mode === 'bubble';
  let overflow: string | null = null;
  let isOpen = false;

  const fit = () => {
    const covers = bubble && isOpen && media.matches;
    panel.ariaModal = covers ? 'true' : null;
    if (covers) {
      panel.style.setProperty('--viewport-top', `${viewport?.offsetTop ?? 0}px`);
      if (viewport) panel.style.setProperty('--viewport-height', `${viewport.height}px`);
      overflow ??= page.getPropertyValue('overflow');
      page.setProperty('overflow', 'hidden');
    } else if (overflow !== null) {
      page.setProperty('overflow', overflow);
      overflow = null;
    }
  };
  const ending = new AbortController();
  const { signal } = ending;
  viewport?.addEventListener('resize', fit, { signal });
  viewport?.addEventListener('scroll', fit, { signal });
  media.addEventListener('change', fit, { signal });
  return {
    fit(open: boolean) {
      isOpen = open;
      fit();
    },
    release() {
      ending.abort();
      isOpen = false;
      fit();
    },
  };
}
