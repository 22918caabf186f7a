/**
 * Back on a phone closes what covers the page instead of leaving it: an entry of the browser's history stands for it, with
 * the page's own address and state, so that a router finds what it knows on both sides of it.
 */
export function backGesture(name: string, close: () => void, signal: AbortSignal) {
  const state = () => history.state as Record<string, unknown> | null;
  const isOurs = () => state()?.parley === name;
  const push = () => history.pushState({ ...state(), parley: name }, '');
  let covering = false;
  /** The browser has been told to go back, and has not yet. */
  let leaving = false;
  addEventListener(
    'popstate',
    () => {
      const left = leaving;
      leaving = false;
      if (!covering || isOurs()) return;
      // It was opened again in the meantime.
      if (left) return push();
      covering = false;
      close();
    },
    { signal },
  );
  return {
    covers(now: boolean) {
      if (now === covering) return;
      covering = now;
      // After a reload the entry is still there; once the page has gone on from it, it is the page's.
      if (now && !isOurs()) push();
      else if (!now && isOurs() && !leaving) {
        leaving = true;
        history.back();
      }
    },
  };
}
