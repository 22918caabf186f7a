/** Keeps the focus in the panel: when what has it is taken away and, where the panel covers the page, at its ends. */
export function keepFocus(panel: HTMLElement): void {
  const root = panel.getRootNode() as ShadowRoot;
  let focused: Element | null = null;
  const look = () => {
    const gone = focused?.isConnected === false;
    // What cannot be used for the moment has lost it already, and may be taken away next.
    focused = root.activeElement ?? (!gone && focused?.matches(':disabled') ? focused : null);
    // In a frame the body has the focus also while another document has it.
    if (!gone || document.activeElement !== document.body || !document.hasFocus()) return;
    // On a touch screen the keyboard would cover what the visitor came to read.
    const field =
      matchMedia('(pointer: fine)').matches && panel.querySelector<HTMLElement>('.composer textarea');
    (field || panel).focus({ preventScroll: true });
  };
  new MutationObserver(look).observe(panel, { childList: true, subtree: true });
  panel.addEventListener('focusin', look);

  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || !panel.ariaModal) return;
    const stops = [...panel.querySelectorAll<HTMLElement>(':not(:disabled)')].filter(
      (each) => each.tabIndex === 0 && each.checkVisibility(),
    );
    const [from, to] = event.shiftKey ? [0, -1] : [-1, 0];
    if (root.activeElement !== panel && root.activeElement !== stops.at(from)) return;
    event.preventDefault();
    stops.at(to)?.focus();
  });
}
