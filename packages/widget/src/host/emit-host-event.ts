import type { WidgetEvents } from '../loader/widget-api.ts';

/** Tells the page, by an event on the widget's host. False when the page has cancelled it. */
export function emitHostEvent<Name extends keyof WidgetEvents>(
  host: Element,
  name: Name,
  detail: WidgetEvents[Name],
): boolean {
  const cancelable = name.startsWith('before-');
  return host.dispatchEvent(
    new CustomEvent(`parley:${name}`, { bubbles: true, composed: true, cancelable, detail }),
  );
}
