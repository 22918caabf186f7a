import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWidget } from '../widget-context.ts';

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
  const { cards } = useWidget();
  const following = useRef(true);
  const [unread, setUnread] = useState<number | null>(null);
  const left = useRef(0);
  const now = useRef({ count, growing, cards });
  now.current = { count, growing, cards };

  const toEnd = () => {
    following.current = true;
    setUnread(null);
    const element = scroller.current!;
    element.scrollTop = element.scrollHeight;
  };

  // While text streams in, a small step up would be undone by the next line: the intent counts, not the distance.
  const leave = () => {
    if (following.current) left.current = now.current.count;
    following.current = false;
  };

  useEffect(() => {
    const element = scroller.current!;
    const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < near;
    let lastTop = 0;
    const onScroll = () => {
      const up = element.scrollTop < lastTop - 1;
      lastTop = element.scrollTop;
      if (atEnd()) {
        if (!up) following.current = true;
        setUnread(null);
      } else if (!following.current) setUnread((known) => known ?? 0);
      // What tells more about the reader is not there yet.
      else if (up && !now.current.cards) leave();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const grown = new ResizeObserver(() => {
      if (following.current && now.current.count > 0) element.scrollTop = element.scrollHeight;
      else if (!atEnd() && (now.current.growing || now.current.count > left.current))
        setUnread(Math.max(1, now.current.count - left.current));
    });
    grown.observe(content.current!);
    grown.observe(element);
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  useEffect(() => cards?.watchReader(scroller.current!, leave, toEnd), [cards]);

  return { unread, toEnd };
}
