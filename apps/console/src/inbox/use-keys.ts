import { useEffect, useRef } from 'preact/hooks';
import { isTyping } from './is-typing.ts';

/** What is done when a key is pressed that is meant for the room; a key without anything to do is left to the browser. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const pressed = isTyping(event) ? undefined : latest.current[event.key];
      if (!pressed) return;
      event.preventDefault();
      pressed();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
