import type { Conversation } from '@parley/conversation';
import { tellPage } from '../host/tell-page.ts';

/** Shows how much waits behind a closed panel on its launcher, and tells the page. Returns what names the launcher anew. */
export function showUnread(
  host: Element,
  launcher: HTMLElement | undefined,
  { unread }: Conversation,
  signal: AbortSignal,
  /** Tells what the launcher opens, and how much of it is new. */
  nameLauncher: (count: number) => void,
): () => void {
  let told = 0;
  const show = (count: number) => {
    if (count !== told) tellPage(host, 'unread', { count });
    told = count;
    if (!launcher) return;
    nameLauncher(count);
    if (count > 0) launcher.dataset.badge = String(count);
    else delete launcher.dataset.badge;
  };
  signal.addEventListener('abort', unread.subscribe(show));
  return () => show(unread.value);
}
