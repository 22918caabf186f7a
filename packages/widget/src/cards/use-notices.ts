import { useEffect, useRef } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';

/** While the page is out of sight, a finished answer or a request of the agent sounds and is counted in the title. */
export function useNotices(chat: Chat, wanted: boolean): void {
  const { turns, requests } = chat.state.transcript;
  const arrived = turns.filter(({ status }) => status !== 'running').length + requests.length;
  const known = useRef(arrived);
  useEffect(() => {
    const more = arrived > known.current;
    known.current = arrived;
    if (!more || !wanted || !document.hidden) return;
    beep();
    const title = document.title;
    const noticed = `● ${title}`;
    document.title = noticed;
    const seen = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', seen);
      if (document.title === noticed) document.title = title;
    };
    document.addEventListener('visibilitychange', seen);
  }, [arrived, wanted]);
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
