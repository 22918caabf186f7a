import type { Chat } from '../chat/chat-model.ts';
import { tellPage } from '../panel/tell-page.ts';
import { countAnswers } from './count-answers.ts';
import { openRequests } from './open-requests.ts';

/** Counts what has arrived behind a closed panel, on its launcher and for the page. Returns what counts again. */
export function trackUnread(
  host: Element,
  launcher: HTMLElement | undefined,
  chat: Chat,
  isOpen: () => boolean,
  signal: AbortSignal,
  /** Tells what the launcher opens, and how much of it is new. */
  nameLauncher: (count: number) => void,
): () => void {
  const { saved } = chat;
  let unread = 0;
  const update = () => {
    const { transcript } = chat.state;
    const answers = countAnswers(transcript);
    if (isOpen() && !document.hidden && answers > 0) saved.set('seen', String(answers));
    const count = isOpen() ? 0 : Math.max(0, answers - Number(saved.get('seen'))) + openRequests(transcript);
    if (count !== unread) tellPage(host, 'unread', { count });
    unread = count;
    if (!launcher) return;
    nameLauncher(count);
    if (count > 0) launcher.dataset.badge = String(count);
    else delete launcher.dataset.badge;
  };
  chat.subscribe(update);
  // What another tab has shown is no longer new.
  addEventListener('storage', () => isOpen() || update(), { signal });
  document.addEventListener('visibilitychange', update, { signal });
  update();
  return update;
}
