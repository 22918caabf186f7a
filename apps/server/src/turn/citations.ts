import type { Source } from '@parley/protocol/event';

/** `[2]`, `[1, 3]`, and with an address of the model's own behind it, which says nothing about the source. */
const citation = /^\[(\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,9})\](?:\(([^()\s]{0,2000})\))?/;
/** What may still become one. */
const begun = /^\[(?:[\d,;\s]{0,60}|[\d,;\s]{1,60}\](?:\([^()\s]{0,2000})?)$/;
const borders = /[[`]/;

/**
 * Takes what a model says as it says it, and gives what is passed on: citations of what this turn has not retrieved are
 * left out. What may become a citation waits for its end. Code is passed on as it is.
 */
export class Citations {
  readonly #sources: ReadonlyMap<number, Source>;
  readonly #cited = new Map<number, Source>();
  #held = '';
  /** The backticks that end the code that is open; empty outside of code. */
  #fence = '';
  #lineStarts = true;

  constructor(sources: ReadonlyMap<number, Source>) {
    this.#sources = sources;
  }

  /** What the text so far has cited, by number. */
  get cited(): Source[] {
    return [...this.#cited.values()].toSorted((a, b) => a.number - b.number);
  }

  push(text: string): string {
    this.#held += text;
    return this.#take(false);
  }

  /** The rest, after the last piece. */
  end(): string {
    return this.#take(true);
  }

  #take(last: boolean): string {
    let passed = '';
    const pass = (length: number) => {
      const text = this.#held.slice(0, length);
      this.#held = this.#held.slice(length);
      passed += text;
      if (text !== '') this.#lineStarts = /\n[ \t]*$/.test(text) || (this.#lineStarts && text.trim() === '');
    };
    while (this.#held !== '') {
      if (this.#fence !== '') {
        const end = this.#codeEnd(last);
        if (end === 0) break;
        pass(end);
        continue;
      }
      const border = this.#held.search(borders);
      if (border < 0) {
        // The space before a citation that is left out goes with it.
        pass(last ? this.#held.length : this.#held.trimEnd().length);
        break;
      }
      if (this.#held[border] === '`') {
        const ticks = /^`+/.exec(this.#held.slice(border))![0];
        if (border + ticks.length === this.#held.length && !last) {
          pass(border);
          break;
        }
        pass(border + ticks.length);
        this.#fence = ticks;
        continue;
      }
      pass(this.#held.slice(0, border).trimEnd().length);
      const space = /^\s*/.exec(this.#held)![0];
      const rest = this.#held.slice(space.length);
      if (!last && begun.test(rest)) break;
      const found = citation.exec(rest);
      // A line that begins so defines a reference of Markdown, or lists one.
      if (!found || (this.#startsLine(space) && rest[found[0].length] === ':')) {
        pass(space.length + 1);
        continue;
      }
      if (!last && rest.length === found[0].length) break;
      const kept = this.#kept(found[1]!);
      const written = kept === '' ? '' : space + kept;
      this.#held = rest.slice(found[0].length);
      passed += written;
      if (written !== '') this.#lineStarts = false;
    }
    return passed;
  }

  #startsLine(space: string): boolean {
    return this.#lineStarts || space.includes('\n');
  }

  /** Where the open code ends in what is held; 0 while that is not known. Code within a line ends with it. */
  #codeEnd(last: boolean): number {
    const ticks = new RegExp(`(?<!\`)${this.#fence}(?!\`)`).exec(this.#held);
    const line = this.#fence.length < 3 ? this.#held.indexOf('\n') : -1;
    if (line >= 0 && (ticks === null || line < ticks.index)) {
      this.#fence = '';
      return line + 1;
    }
    const end = ticks === null ? 0 : ticks.index + ticks[0].length;
    if (ticks !== null && (last || end < this.#held.length)) {
      this.#fence = '';
      return end;
    }
    if (last) return this.#held.length;
    return /`*$/.exec(this.#held)!.index;
  }

  /** The citation with those of its numbers that stand for something. */
  #kept(numbers: string): string {
    const known = numbers.split(/[,;]/).flatMap((number) => this.#sources.get(Number(number)) ?? []);
    for (const source of known) this.#cited.set(source.number, source);
    return known.length === 0 ? '' : `[${known.map(({ number }) => number).join(', ')}]`;
  }
}

/** A whole text without the citations of what was not retrieved. */
export function withoutInvented(text: string, sources: ReadonlyMap<number, Source>): string {
  const citations = new Citations(sources);
  return citations.push(text) + citations.end();
}
