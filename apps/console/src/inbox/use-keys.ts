import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTyping } from './is-typing.ts';

/**
 * What is done when a key is pressed that is meant for the room; a key without anything to do is left to the browser. It is
 * heard from when what it is for is seen, so by an effect of the layout.
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
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
