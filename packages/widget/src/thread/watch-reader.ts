/** Tells by what a reader does with a list whether they want to be elsewhere in it than at its end. */
export function watchReader(element: HTMLElement, elsewhere: () => void, toEnd: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const leave = () => {
    if (element.scrollHeight > element.clientHeight) elsewhere();
  };
  type EventMap = HTMLElementEventMap & { hold: Event; release: Event };
  const on = <Type extends keyof EventMap>(type: Type, listener: (event: EventMap[Type]) => void) =>
    element.addEventListener(type, listener as EventListener, { passive: true, signal });
  on('touchmove', leave);
  on('keydown', (event) => {
    if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) leave();
  });
  // Dragging the scrollbar, which is on the left where one reads from the right.
  on('pointerdown', ({ target, offsetX }) => {
    if (target === element && (offsetX < 0 || offsetX > element.clientWidth)) leave();
  });
  // What is being filled in says that it is to stay where it is, and when it has been sent.
  on('hold', leave);
  on('release', toEnd);
  const onSelect = () => {
    const root = element.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null };
    const selection = root.getSelection?.() ?? document.getSelection();
    if (selection && !selection.isCollapsed && element.contains(selection.anchorNode)) leave();
  };
  document.addEventListener('selectionchange', onSelect, { signal });
  return () => ending.abort();
}
