import type { Conversation } from '@parley/conversation';
import type { ReadonlySignal } from '@preact/signals-core';
import { countLabel } from '../i18n/count-label.ts';
import type { LabelName } from '../i18n/labels.ts';
import { emitHostEvent } from '../host/emit-host-event.ts';
import type { PanelState } from './panel-view.tsx';

/** Shows how much waits behind a closed panel on its launcher, and tells the page. Returns what names the launcher anew. */
export function showUnread(
  host: Element,
  launcher: HTMLElement | undefined,
  { unread }: Conversation,
  signal: AbortSignal,
  view: ReadonlySignal<Pick<PanelState, 'labels' | 'locale'>>,
  /** Tells what the launcher opens, and how much of it is new. */
  nameLauncher: (unread: string | false) => void,
): () => void {
  let told = 0;
  const show = (count: number) => {
    if (count !== told) emitHostEvent(host, 'unread', { count });
    told = count;
    if (!launcher) return;
    const { labels, locale } = view.value;
    const words = { label: (name: LabelName) => labels[name] ?? '', locale };
    nameLauncher(count > 0 && countLabel(words, 'newMessages', count));
    if (count > 0) launcher.dataset.badge = String(count);
    else delete launcher.dataset.badge;
  };
  signal.addEventListener('abort', unread.subscribe(show));
  return () => show(unread.value);
}
