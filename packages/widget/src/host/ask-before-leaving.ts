import { emitHostEvent } from './emit-host-event.ts';

/** Lets the page keep a link from opening. */
export function askBeforeLeaving(host: Element, panel: HTMLElement): void {
  panel.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (link && !emitHostEvent(host, 'before-open-link', { url: link.href })) event.preventDefault();
  });
}
