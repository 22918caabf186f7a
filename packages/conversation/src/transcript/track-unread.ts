import type { ConversationCore } from '../conversation-core.ts';
import { countAnswers } from './count-answers.ts';
import { openRequests } from './open-requests.ts';

/** Counts what has arrived since the visitor has last seen the conversation, in any tab. */
export function trackUnread({ state, storage, environment, signal }: ConversationCore): void {
  const { transcript, shown, unread } = state;
  const count = () => {
    const answers = countAnswers(transcript.value);
    if (shown.value && !environment.isHidden?.() && answers > 0) storage.set('seen', String(answers));
    unread.value = shown.value
      ? 0
      : Math.max(0, answers - Number(storage.get('seen'))) + openRequests(transcript.value);
  };
  signal.addEventListener('abort', transcript.subscribe(count));
  signal.addEventListener('abort', shown.subscribe(count));
  // What another tab has shown is no longer new.
  environment.events?.addEventListener('storage', () => shown.value || count(), { signal });
  environment.events?.addEventListener('visibilitychange', count, { signal });
}
