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
    // While text streams in, a small step up would be undone by the next line: the intent counts, not the distance.
    const leave = () => {
      if (element.scrollHeight > element.clientHeight) following.current = false;
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) leave();
    };
    const onKey = (event: KeyboardEvent) => {
      if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) leave();
    };
    let lastTop = 0;
    const onScroll = () => {
      const up = element.scrollTop < lastTop - 1;
      lastTop = element.scrollTop;
      if (atEnd()) {
        if (!up) following.current = true;
        setAway('no');
      } else if (!following.current) setAway((state) => (state === 'unread' ? state : 'away'));
    };
    // Dragging the scrollbar.
    const onPointer = (event: PointerEvent) => {
      if (event.target === element && event.offsetX > element.clientWidth) leave();
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
    element.addEventListener('wheel', onWheel, { passive: true });
    element.addEventListener('keydown', onKey);
    element.addEventListener('pointerdown', onPointer);
    element.addEventListener('touchmove', leave, { passive: true });
    document.addEventListener('selectionchange', onSelect);
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('keydown', onKey);
      element.removeEventListener('pointerdown', onPointer);
      element.removeEventListener('touchmove', leave);
      document.removeEventListener('selectionchange', onSelect);
    };
  }, []);

  return { away, toEnd };
}
