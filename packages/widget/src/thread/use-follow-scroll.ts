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

  // The event of this scrolling comes later, and says nothing about the reader, who may have gone elsewhere by then.
  const lastTop = useRef(0);
  const scrollToEnd = (element: HTMLElement) => {
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  };
  const toEnd = () => {
    following.current = true;
    setUnread(null);
    scrollToEnd(scroller.current!);
  };

  // While text streams in, a small step up would be undone by the next line: the intent counts, not the distance.
  const leave = () => {
    if (following.current) left.current = now.current.count;
    following.current = false;
  };

  useEffect(() => {
    const element = scroller.current!;
    const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < near;
    const onScroll = () => {
      const moved = element.scrollTop - lastTop.current;
      lastTop.current = element.scrollTop;
      if (atEnd()) {
        if (moved > 0) following.current = true;
        setUnread(null);
      } else if (!following.current) setUnread((known) => known ?? 0);
      // What tells more about the reader is not there yet.
      else if (moved < -1 && !now.current.cards) leave();
    };
    // One turn of a wheel may come right before what else tells about the reader.
    const onWheel = ({ deltaY }: WheelEvent) => {
      if (deltaY < 0 && element.scrollHeight > element.clientHeight) leave();
    };
    element.addEventListener('wheel', onWheel, { passive: true });
    element.addEventListener('scroll', onScroll, { passive: true });
    const grown = new ResizeObserver(() => {
      if (following.current && now.current.count > 0) scrollToEnd(element);
      else if (!atEnd() && (now.current.growing || now.current.count > left.current))
        setUnread(Math.max(1, now.current.count - left.current));
    });
    grown.observe(content.current!);
    grown.observe(element);
    // What else listens goes with the element.
    return () => grown.disconnect();
  }, []);

  useEffect(() => cards?.watchReader(scroller.current!, leave, toEnd), [cards]);

  return { unread, toEnd };
}
