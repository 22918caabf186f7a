/**
 * Begins something whenever somebody comes to look at this tab, and ends it by its signal when they leave: a browser has
 * few connections to one service, and a tab that nobody looks at leaves its own to the others. Gives what ends it for good.
 */
export function whileSeen(begin: (ending: AbortSignal) => void): () => void {
  let current: AbortController | null = null;
  const look = () => {
    current?.abort();
    current = null;
    if (document.hidden) return;
    current = new AbortController();
    begin(current.signal);
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    current?.abort();
  };
}
