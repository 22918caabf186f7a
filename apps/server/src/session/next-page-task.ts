/** Who waits for a page; a first page goes before every other, so that a short log waits for no long one. */
const waiting = { first: [] as (() => void)[], next: [] as (() => void)[] };
/** Somebody has had a page in this round of the event loop, or is about to. */
let busy = false;

/**
 * Resolves in a task of its own, for one caller in each round of the event loop: however many readers page through
 * logs at once, everybody else's requests run between any two of their pages.
 */
export function nextPageTask(): Promise<void> {
  return inTurn('next');
}

/** The same for a first page, at once while nobody else reads one. */
export async function firstPageTask(): Promise<void> {
  if (busy) return inTurn('first');
  begin();
}

function inTurn(kind: 'first' | 'next'): Promise<void> {
  return new Promise((resolve) => {
    waiting[kind].push(resolve);
    if (!busy) begin();
  });
}

function begin(): void {
  busy = true;
  setImmediate(() => {
    const resolve = waiting.first.shift() ?? waiting.next.shift();
    busy = false;
    if (!resolve) return;
    begin();
    resolve();
  });
}
