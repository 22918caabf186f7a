import { batch } from '@preact/signals-core';
import type { ConversationCore } from '../conversation-core.ts';
import { countAnswers } from './count-answers.ts';
import { isForTeam } from './is-for-team.ts';
import { openSignIns } from './open-sign-ins.ts';

/** Counts what has arrived, and what of it has arrived since the visitor has last seen the conversation, in any tab. */
export function trackUnread({ state, storage, environment, signal }: ConversationCore): void {
  const { transcript, shown, counts, unread } = state;
  const count = () => {
    const { answers, openRequests } = counts.value;
    // Fewer than before are those of a log that is still being read.
    if (shown.value && !environment.isHidden?.() && answers > Number(storage.get('seen')))
      storage.set('seen', String(answers));
    unread.value = shown.value ? 0 : Math.max(0, answers - Number(storage.get('seen'))) + openRequests;
  };
  const read = () =>
    batch(() => {
      const signIns = openSignIns(transcript.value);
      if (signIns.length + state.openSignIns.value.length > 0) state.openSignIns.value = signIns;
      counts.value = {
        answers: countAnswers(transcript.value),
        openRequests: transcript.value.requests.filter((each) => !isForTeam(each)).length + signIns.length,
      };
      count();
    });
  let followed: string | undefined;
  const follow = (id: string | undefined) => {
    // What was seen of another one says nothing of this.
    if (id && followed && id !== followed) storage.set('seen', '');
    followed = id ?? followed;
  };
  signal.addEventListener(
    'abort',
    state.session.subscribe((session) => follow(session?.sessionId)),
  );
  signal.addEventListener('abort', transcript.subscribe(read));
  signal.addEventListener('abort', shown.subscribe(count));
  // What another tab has shown is no longer new.
  environment.events?.addEventListener('storage', () => shown.value || count(), { signal });
  environment.events?.addEventListener('visibilitychange', count, { signal });
}
