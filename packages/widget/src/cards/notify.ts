const mark = '● ';

/** Makes a sound, and marks the page's title until it is seen. */
export function notify(): void {
  if (!document.hidden) return;
  void once(beep);
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
  const { locks, userActivation } = navigator as Partial<Navigator>;
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
