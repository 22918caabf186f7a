import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWidget } from '../widget-context.ts';
import css from './long-text.css?inline';

/** Shows the first twelve lines of the message that it stands in, and the rest when it is asked for. */
function LongText() {
  const { label } = useWidget();
  const button = useRef<HTMLButtonElement>(null);
  const [isLong, setLong] = useState(false);
  const [isFolded, setFolded] = useState(true);

  useLayoutEffect(() => {
    const text = button.current!.parentElement!.querySelector(':scope > [dir]')!;
    text.classList.toggle('folded', isFolded);
    const resized = new ResizeObserver(() => {
      if (isFolded) setLong(text.scrollHeight > text.clientHeight + 1);
    });
    resized.observe(text);
    return () => resized.disconnect();
  }, [isFolded]);

  return (
    <button
      type="button"
      class="unfold"
      ref={button}
      hidden={!isLong}
      aria-expanded={!isFolded}
      onClick={() => {
        setFolded(!isFolded);
        // Its reader is not left in the middle of what comes after it.
        if (!isFolded) requestAnimationFrame(() => button.current?.scrollIntoView({ block: 'nearest' }));
      }}
    >
      {label(isFolded ? 'showMore' : 'showLess')}
    </button>
  );
}

export { css, LongText as Component };
