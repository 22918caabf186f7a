import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const near = 48;

/**
 * Keeps the end of a growing list in view until the reader goes elsewhere. `unread` is then how many of `count`
 * messages are new, null while the end is in view.
 */
export function useFollowScroll(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  count: number,
  growing: boolean,
) {
  const following = useRef(true);
  const [unread, setUnread] = useState<number | null>(null);
  const left = useRef(0);
  const now = useRef({ count, growing });
  now.current = { count, growing };

  const toEnd = () => {
    following.current = true;
    setUnread(null);
    const element = scroller.current!;
    element.scrollTop = element.scrollHeight;
  };

  useEffect(() => {
    const element = scroller.current!;
    const ending = new AbortController();
    const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < near;
    // While text streams in, a small step up would be undone by the next line: the intent counts, not the distance.
    const leave = () => {
      if (element.scrollHeight <= element.clientHeight) return;
      if (following.current) left.current = now.current.count;
      following.current = false;
    };
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ) => element.addEventListener(type, listener, { passive: true, signal: ending.signal });
    on('wheel', (event) => {
      if (event.deltaY < 0) leave();
    });
    on('touchmove', leave);
    // What is being filled in says that it is to stay where it is, and when it has been sent.
    element.addEventListener('hold', leave, { signal: ending.signal });
    element.addEventListener('release', toEnd, { signal: ending.signal });
    on('keydown', (event) => {
      if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) leave();
    });
    // Dragging the scrollbar.
    on('pointerdown', (event) => {
      if (event.target === element && event.offsetX > element.clientWidth) leave();
    });
    let lastTop = 0;
    on('scroll', () => {
      const up = element.scrollTop < lastTop - 1;
      lastTop = element.scrollTop;
      if (atEnd()) {
        if (!up) following.current = true;
        setUnread(null);
      } else if (!following.current) setUnread((known) => known ?? 0);
    });
    const onSelect = () => {
      const root = element.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null };
      const selection = root.getSelection?.() ?? document.getSelection();
      if (selection && !selection.isCollapsed && element.contains(selection.anchorNode)) leave();
    };
    document.addEventListener('selectionchange', onSelect, { signal: ending.signal });
    const grown = new ResizeObserver(() => {
      if (following.current && now.current.count > 0) element.scrollTop = element.scrollHeight;
      else if (!atEnd() && (now.current.growing || now.current.count > left.current))
        setUnread(Math.max(1, now.current.count - left.current));
    });
    grown.observe(content.current!);
    grown.observe(element);
    return () => {
      grown.disconnect();
      ending.abort();
    };
  }, []);

  return { unread, toEnd };
}
