import { useLayoutEffect, useRef } from 'preact/hooks';
import { roomKey } from './room-key.ts';

/**
 * What is done when a key is pressed that is meant for the room; a key without anything to do is left to the browser. It is
 * heard from when what it is for is seen, so by an effect of the layout. A key that is held does it once: what it did may
 * have brought the next thing that it would be done to.
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = event.repeat ? null : roomKey(event);
      const pressed = key === null ? undefined : latest.current[key];
      if (!pressed) return;
      event.preventDefault();
      pressed();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
