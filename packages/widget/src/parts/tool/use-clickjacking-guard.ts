import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const delay = 500;

/**
 * Whether a control may be used. Inside a frame it waits until it has been in view for half a second, so that a page
 * cannot slide it under a click that was meant for something else.
 */
export function useClickjackingGuard(element: RefObject<HTMLElement | null>): boolean {
  const framed = globalThis.parent !== globalThis.self;
  const [armed, setArmed] = useState(!framed);
  useEffect(() => {
    if (!framed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting) timer = setTimeout(() => setArmed(true), delay);
        else setArmed(false);
      },
      { threshold: 0.9 },
    );
    observer.observe(element.current!);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return armed;
}
