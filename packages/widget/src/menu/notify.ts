import type { Conversation } from '@parley/conversation';
import { findLocks } from '../host/find-locks.ts';

const mark = '● ';
const locks = findLocks();

/**
 * While no tab of this visitor's is in sight, a finished answer or a request of the agent makes a sound, and marks the
 * page's title until it is seen.
 */
export function notify(conversation: Conversation, signal: AbortSignal): void {
  const inSight = `${conversation.name}:in-sight`;
  let disappear = () => {};
  const look = () => {
    disappear();
    if (document.hidden || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    disappear = resolve;
    locks?.request(inSight, { mode: 'shared' }, () => promise).catch(() => {});
  };
  const count = () => {
    const { answers, openRequests } = conversation.counts.value;
    return {
      session: conversation.session.value?.sessionId,
      restoring: conversation.restoring.value,
      answers,
      openRequests,
    };
  };
  let known = count();
  const update = async () => {
    const before = known;
    known = count();
    // A conversation that another tab has gone to, or that was there before, is no news.
    if (before.session !== known.session || before.restoring) return;
    if (known.answers <= before.answers && known.openRequests <= before.openRequests) return;
    const tabs = await locks?.query().catch(() => null);
    if (!document.hidden || tabs?.held?.some(({ name }) => name === inSight)) return;
    void once(beep);
    markTitle();
  };
  look();
  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', look);
  signal.addEventListener(
    'abort',
    conversation.counts.subscribe(() => void update()),
  );
}

function markTitle(): void {
  const { title } = document;
  if (title.startsWith(mark)) return;
  const noticed = mark + title;
  document.title = noticed;
  const seen = () => {
    if (document.hidden) return;
    document.removeEventListener('visibilitychange', seen);
    if (document.title === noticed) document.title = title;
  };
  document.addEventListener('visibilitychange', seen);
}

/** Every tab hears of it within a moment; one of them makes the sound. Without locks each does. */
function once(sound: () => void): unknown {
  const { userActivation } = navigator as Partial<Navigator>;
  // A page that nobody has touched is not let sound, and takes it from no other.
  if (userActivation?.hasBeenActive === false) return;
  const first = (lock: Lock | null) => {
    if (!lock) return;
    sound();
    return new Promise((resolve) => setTimeout(resolve, 2_000));
  };
  return locks ? locks.request('parley:sound', { ifAvailable: true }, first).catch(sound) : sound();
}

function beep(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}
