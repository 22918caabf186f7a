/** Long enough to carry the deltas of many sessions in one transaction, short enough to look like typing. */
const tickMs = 10;

let waiting = new Set<() => void>();

/** Calls back at the next tick, which is the same for everyone who waits. Returns the function that stops it. */
export function onFlush(callback: () => void): () => void {
  const joined = waiting;
  if (joined.size === 0) setTimeout(run, tickMs);
  joined.add(callback);
  return () => joined.delete(callback);
}

function run(): void {
  const due = waiting;
  waiting = new Set();
  for (const callback of due) callback();
}
