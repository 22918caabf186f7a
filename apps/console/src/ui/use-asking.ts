import { useCallback, useRef } from 'preact/hooks';

/**
 * Called when something is asked of the service, gives what tells, once the answer is there, whether it is news: it is
 * neither older than one that was shown, nor to another question than the one that is asked by now. What is asked again
 * and again is shown as it comes, however slow the service is.
 */
export function useAsking(question = '') {
  const asked = useRef(0);
  const shown = useRef(0);
  const current = useRef(question);
  current.current = question;
  return useCallback((): (() => boolean) => {
    const mine = ++asked.current;
    const its = current.current;
    return () => {
      if (its !== current.current || mine < shown.current) return false;
      shown.current = mine;
      return true;
    };
  }, []);
}
