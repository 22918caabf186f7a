const eventTypes =
  'keydown keypress keyup focusin focusout wheel touchstart touchmove touchend touchcancel'.split(' ');

/**
 * Keeps what a visitor does in the panel out of the page's hands. Outside a shadow root these events seem to come from
 * its host: a page would take letters for its shortcuts, a modal would call the focus back, smooth scrolling would
 * swallow the wheel, and a library that makes clicks of touches would click the host. Listeners of the page that capture still see them.
 */
export function keepEvents(root: ShadowRoot): void {
  for (const type of eventTypes) root.addEventListener(type, (event) => event.stopPropagation());
}
