import { useEffect, useRef } from 'preact/hooks';

/** For links in a row that is wider than a phone: the one of the screen that is shown is in sight. */
export function useCurrentInView(shown: string) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const show = () => {
      const link = element.querySelector('[aria-current]')?.getBoundingClientRect();
      const { left, width } = element.getBoundingClientRect();
      if (link) element.scrollLeft += link.left + link.width / 2 - (left + width / 2);
    };
    // Told at once, and whenever the row is as wide as another screen.
    const observer = new ResizeObserver(show);
    observer.observe(element);
    return () => observer.disconnect();
  }, [shown]);
  return row;
}
