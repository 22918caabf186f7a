import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Opens a dialog when it is drawn. `onClose` is called as soon as it was closed, as by Escape, before the next key is heard:
 * the browser’s `close` event may come after it, and closes what that key has opened again.
 */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    const { current } = dialog;
    if (!current) return;
    current.showModal();
    const closing = new MutationObserver(() => current.open || latest.current());
    closing.observe(current, { attributeFilter: ['open'] });
    return () => closing.disconnect();
  }, []);
  return dialog;
}
