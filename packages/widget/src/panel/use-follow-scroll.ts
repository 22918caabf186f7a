import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const near = 48;

/** Keeps the end of a growing list in view until the reader goes elsewhere. */
export function useFollowScroll(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
) {
  const following = useRef(true);
  const [away, setAway] = useState<'no' | 'away' | 'unread'>('no');

  const toEnd = () => {
    following.current = true;
    setAway('no');
    const element = scroller.current!;
    element.scrollTop = element.scrollHeight;
  };

  useEffect(() => {
    const element = scroller.current!;
    const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < near;
    const leave = () => {
      // A wheel or a finger may not move anything: the scroll that follows decides.
      if (!atEnd()) following.current = false;
    };
    let lastTop = 0;
    const onScroll = () => {
      const up = element.scrollTop < lastTop - 1;
      lastTop = element.scrollTop;
      if (atEnd()) {
        following.current = true;
        setAway('no');
      } else if (up || !following.current) {
        following.current = false;
        setAway((state) => (state === 'unread' ? state : 'away'));
      }
    };
    const onSelect = () => {
      const root = element.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null };
      const selection = root.getSelection?.() ?? document.getSelection();
      if (selection && !selection.isCollapsed && element.contains(selection.anchorNode))
        following.current = false;
    };
    const grown = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
      else if (!atEnd()) setAway('unread');
    });
    grown.observe(content.current!);
    grown.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', leave, { passive: true });
    element.addEventListener('touchmove', leave, { passive: true });
    document.addEventListener('selectionchange', onSelect);
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', leave);
      element.removeEventListener('touchmove', leave);
      document.removeEventListener('selectionchange', onSelect);
    };
  }, []);

  return { away, toEnd };
}
