import { useCallback, useRef } from 'preact/hooks';

/**
 * Called when something is asked of the service, gives what tells, once the answer is there, whether nothing was asked
 * after it: an older answer is not shown over one to a later question.
 */
export function useAsking() {
  const asked = useRef(0);
  return useCallback((): (() => boolean) => {
    const mine = ++asked.current;
    return () => mine === asked.current;
  }, []);
}
