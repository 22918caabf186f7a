/** Tells by what a reader does with a list whether they want to be elsewhere in it than at its end. */
export function watchReader(element: HTMLElement, elsewhere: () => void, toEnd: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const leave = () => {
    if (element.scrollHeight > element.clientHeight) elsewhere();
  };
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ) => element.addEventListener(type, listener, { passive: true, signal });
  on('wheel', (event) => {
    if (event.deltaY < 0) leave();
  });
  on('touchmove', leave);
  on('keydown', (event) => {
    if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) leave();
  });
  // Dragging the scrollbar.
  on('pointerdown', (event) => {
    if (event.target === element && event.offsetX > element.clientWidth) leave();
  });
  // What is being filled in says that it is to stay where it is, and when it has been sent.
  element.addEventListener('hold', leave, { signal });
  element.addEventListener('release', toEnd, { signal });
  const onSelect = () => {
    const root = element.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null };
    const selection = root.getSelection?.() ?? document.getSelection();
    if (selection && !selection.isCollapsed && element.contains(selection.anchorNode)) leave();
  };
  document.addEventListener('selectionchange', onSelect, { signal });
  return () => ending.abort();
}
