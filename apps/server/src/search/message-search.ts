import { setImmediate, setTimeout } from 'node:timers/promises';
import type { MessageStore, SearchedRange, UnsearchedRange } from '../store/message-store.ts';
import { termsOfMessage } from './message-terms.ts';

/** Parts of logs that whoever searches waits for: the last messages, and not those of years. */
const stepsOfSearch = 3;

/** Messages among which words are looked for at once: milliseconds, however seldom they stand together. */
export const maxSearched = 100_000;

/** Terms that one write adds, or those of one message: for each of them everybody else waits some microseconds. */
const maxWritten = 4_000;

/** Makes what is said in conversations findable by its words. */
export class MessageSearch {
  readonly #store: MessageStore;
  readonly #stopping = new AbortController();
  #step: Promise<boolean> | null = null;
  #work: Promise<void> | null = null;

  constructor(store: MessageStore) {
    this.#store = store;
  }

  /** Until a search finds what has been said by now, unless there is very much of it. */
  async catchUp(): Promise<void> {
    // It may have looked before the last words were written.
    await this.#step?.catch(() => false);
    let more = true;
    for (let steps = 0; more && steps < stepsOfSearch; steps += 1) more = await this.#next();
  }

  /** Until all is done that there is; whatever else the process does has half of the time. */
  work(): Promise<void> {
    this.#work ??= this.#workOff().finally(() => (this.#work = null));
    return this.#work;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    // Whoever began it has been told how it ended.
    await Promise.allSettled([this.#work, this.#step]);
  }

  async #workOff(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const begun = performance.now();
      if (!(await this.#next())) return;
      await setTimeout(performance.now() - begun, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One step at a time, however many wait for it; false when nothing was left. */
  #next(): Promise<boolean> {
    this.#step ??= this.#run().finally(() => (this.#step = null));
    return this.#step;
  }

  async #run(): Promise<boolean> {
    const ranges = await this.#store.listUnsearched();
    if (ranges.length === 0) return false;
    for await (const write of writesOf(ranges)) await this.#store.saveSearched(write);
    return true;
  }
}

/** What is found in these parts of logs, in writes that hold nobody up. */
async function* writesOf(ranges: readonly UnsearchedRange[]): AsyncGenerator<readonly SearchedRange[]> {
  let write: SearchedRange[] = [];
  let written = 0;
  for (const { messages, tenantId, visitor, conversationId, ...range } of ranges) {
    let { first } = range;
    let found: { readonly index: number; readonly terms: readonly string[] }[] = [];
    for (const { index, text } of messages) {
      const terms = termsOfMessage({ tenantId, text, names: [visitor, conversationId] });
      if (written > 0 && written + terms.length > maxWritten) {
        const until = found.at(-1)?.index;
        if (until !== undefined) write.push({ ...range, first, until, messages: found });
        yield write;
        first = until === undefined ? first : until + 1;
        write = [];
        found = [];
        written = 0;
      }
      found.push({ index, terms });
      written += terms.length;
      await setImmediate();
    }
    write.push({ ...range, first, messages: found });
  }
  yield write;
}
