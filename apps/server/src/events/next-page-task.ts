/** How long readers take pages in one round of the event loop; the page that is being read then is the last of it. */
export const roundMs = 5;
/** First pages that a round gives at once, before it is seen what they take: of the largest, four are some 20 ms. */
export const maxAtOnce = 4;
/** More than have time for a page each; whoever waits beyond them costs a round nothing. */
const maxTasks = 64;

/** Who waits for a page; a first page goes before every other, so that a short log waits for no long one. */
const waiting = { first: [] as (() => void)[], next: [] as (() => void)[] };
/** When the first page of this round was begun. */
let begunAt: number | null = null;
let atOnce = 0;
let scheduled = false;

/**
 * Resolves in a later round of the event loop, when that has time left for a page: however many readers page through
 * logs at once, everybody else's requests run in between.
 */
export function nextPageTask(): Promise<void> {
  return inTurn('next');
}

/**
 * The same for a first page, at once while this round has room: a reader that joins a turn in time is told the rest of it
 * as it happens, and need not read it back.
 */
export async function firstPageTask(): Promise<void> {
  if (waiting.first.length > 0 || atOnce >= maxAtOnce || !hasTime()) return inTurn('first');
  atOnce += 1;
}

function inTurn(kind: 'first' | 'next'): Promise<void> {
  return new Promise((resolve) => {
    waiting[kind].push(resolve);
    schedule();
  });
}

function hasTime(): boolean {
  const now = performance.now();
  begunAt ??= now;
  schedule();
  return now - begunAt < roundMs;
}

/** Begins a round. Each reader has a task of its own: what the one before it took is seen by then. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    begunAt = null;
    atOnce = 0;
    const tasks = Math.min(waiting.first.length + waiting.next.length, maxTasks);
    for (let task = 0; task < tasks; task += 1) setImmediate(readNext);
    if (tasks > 0) schedule();
  });
}

function readNext(): void {
  if (hasTime()) (waiting.first.shift() ?? waiting.next.shift())?.();
}
