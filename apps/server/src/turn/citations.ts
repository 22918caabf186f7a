import { setImmediate } from 'node:timers/promises';
import type { Source } from '@parley/protocol/event';
import { type CitationGroup, endsInGroup, mayCite, opener, readCitationGroup } from './citation-group.ts';
import { CodeFence } from './code-fence.ts';
import { isArrayIndex } from './is-array-index.ts';
import { OutputLine } from './output-line.ts';
import { isAddress, SkippedAddress } from './skipped-address.ts';
import { TextPauses, textPieces } from './text-pieces.ts';

/** Spaces, a span of code and an address are waited for as long as this; what is longer is not taken for one. */
const maxSpace = 100;
const maxSpan = 300;
const plain = /^[^\s`~<\\[\]【】［］〔〕〖〗]+/;
const autolink = /^<[a-z][a-z\d+.-]{0,30}:/i;
/** What may stand between the number of an entry in a list of sources and its address. */
const gap = '(?:[ \\t]{0,20}:[ \\t]{0,20}(?:\\r?\\n[ \\t>]{0,20})?|[ \\t:–—-]{0,20})[<(]?';
const entry = new RegExp(`^(${gap})((?:https?://|www\\.)\\S{0,300})?`, 'i');
const entryBegun = new RegExp(`^${gap}\\r?(?:h|ht|htt|https?|https?:/?|w|ww|www)?$`, 'i');

const escapedEnd = /\\[\]】］〕〗]$/;
const bracketedNumber = /[[【［〔〖][^\p{L}]*\d[^\p{L}]*$/u;

/** What was passed on last, as far as an address directly behind it would belong to a source’s number. */
interface Cited {
  readonly sources: readonly Source[];
  /** At the start of a line it may define a reference of Markdown, or be an entry in a list of sources. */
  readonly isEntry: boolean;
}

/**
 * Takes what a model says as it says it, and gives what is passed on. A citation is numbers in brackets: those that this
 * turn has retrieved are passed on as `[1, 2]`, others are left out, and none carries an address of the model’s own. Code
 * is passed on as it is; where Markdown might not read it as code, it is judged like any other text.
 */
export class Citations {
  readonly #sources: ReadonlyMap<number, Source>;
  readonly #cited = new Map<number, Source>();
  readonly #line = new OutputLine();
  #held = '';
  #passed = '';
  #mode: CodeFence | SkippedAddress | null = null;
  #behind: Cited | null = null;
  /** Brackets that are open, and how many of them, from the outside, have a citation in them. */
  #depth = 0;
  #citedDepth = 0;
  /** A mark of code without its end, or HTML, may have changed what is code in the rest of the paragraph. */
  #isUnclear = false;
  /** A block of HTML, or one of code whose end cannot be told, may go on to the end. */
  #isUnclearToEnd = false;
  /** Something was left out directly before what comes next. */
  #hasDropped = false;

  /** `before`: what the same turn said in its earlier steps, which the Chat interface puts directly in front. */
  constructor(sources: ReadonlyMap<number, Source>, before = '') {
    this.#sources = sources;
    if (/[\])】］〕〗]$/.test(before)) this.#behind = { sources: [], isEntry: false };
    this.#isUnclear = /[`~<]/.test(before.slice(before.lastIndexOf('\n\n') + 1));
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

  #take(isLast: boolean): string {
    while (this.#held !== '' && this.#step(isLast));
    const passed = this.#passed;
    this.#passed = '';
    return passed;
  }

  /** Judges what is held from its beginning; false when more is needed for that. */
  #step(isLast: boolean): boolean {
    const held = this.#held;
    if (this.#mode instanceof CodeFence) {
      const { length, isEnd } = this.#mode.take(held);
      if (isEnd) this.#mode = null;
      this.#pass(length, true);
      // Between the column of its item and the edge of the page readers differ.
      if (isEnd && /^\S/.test(this.#held) && this.#line.isIndented) this.#isUnclearToEnd = true;
      return true;
    }
    if (this.#mode) {
      const { length, isEnd, isClosed } = this.#mode.take(held);
      this.#drop(length);
      if (!isEnd) return true;
      this.#mode = null;
      if (endsInGroup(this.#line.tail)) this.#write('…');
      return !isClosed && /^\S/.test(this.#held) ? this.#separate() : true;
    }
    if (this.#behind) {
      const judged = this.#judgeBehind(this.#behind, isLast);
      if (judged !== null) return judged;
    }
    const ordinary = plain.exec(held);
    if (ordinary) return this.#pass(ordinary[0].length);
    const space = /^\s*/.exec(held)![0];
    const rest = held.slice(space.length);
    if (rest === '' && !isLast && space.length < maxSpace) return false;
    if (opener.test(rest)) return this.#judgeGroup(space, rest, isLast);
    if (rest === '\\' && !isLast) return false;
    if (space !== '') return this.#pass(space.length);
    if (/^[`~]/.test(held)) return this.#judgeCode(isLast);
    if (held[0] === '\\') return this.#pass(/^\\[\\`~]/.test(held) ? 2 : 1);
    if (held[0] === '<') return this.#judgeMarkup(isLast);
    return this.#closeBracket();
  }

  /** Judges what follows a citation directly; null when it is text like any other. */
  #judgeBehind({ sources, isEntry }: Cited, isLast: boolean): boolean | null {
    const held = this.#held;
    if (held[0] === '(') {
      const token = /^\(\s{0,20}([^\s()]{0,300})/.exec(held)!;
      if (isAddress(token[1]!) || token[1]!.length === 300) {
        this.#mode = new SkippedAddress(token[1]!.startsWith('<') ? '(<' : '(');
        return this.#drop(token[0].length - token[1]!.length + (token[1]!.startsWith('<') ? 1 : 0));
      }
      if (token[0] === held && !isLast) return false;
      return this.#separate();
    }
    if (held[0] === '<') {
      if (autolink.test(held)) {
        this.#mode = new SkippedAddress('<');
        return this.#drop(1);
      }
      if (!isLast && /^<(?:\\|[a-z\d+.-]{0,31})$/i.test(held)) return false;
      // What is left out behind it must not make an address of the rest.
      return opener.test(held.slice(1)) || held === '<' ? this.#separate() : null;
    }
    if (held[0] === '[') {
      if (held === '[' && !isLast) return false;
      if (held[1] === ']') return this.#drop(2);
      const group = readCitationGroup(held);
      if (group === 'unfinished' && !isLast) return false;
      return group === null ? this.#separate() : null;
    }
    // What follows a citation that is left out follows this one.
    const rest = held.trimStart();
    if (!isEntry || opener.test(rest)) return null;
    if (rest === '\\' && !isLast) return false;
    const [found, between = '', address] = entry.exec(held)!;
    if (
      !isLast &&
      (entryBegun.test(held) || (address !== undefined && found === held && address.length < 300))
    )
      return false;
    if (address !== undefined && !sources.some(({ url }) => isSameOrigin(url, address))) {
      this.#mode = new SkippedAddress(/[(<]$/.exec(between)?.[0] ?? '');
      return this.#drop(between.length);
    }
    // With its colon it would define where every other `[1]` leads; another one may follow.
    const colon = /^(?:[ \t]*:)?/.exec(held)![0];
    this.#behind = { sources, isEntry: colon !== '' };
    return this.#drop(colon.length);
  }

  #judgeGroup(space: string, rest: string, isLast: boolean): boolean {
    const group = readCitationGroup(rest);
    if (group === 'unfinished') {
      if (!isLast) return false;
      // Nothing else is begun in it: it was cut off.
      if (!/[[【［〔〖]/.test(rest.slice(1))) return this.#drop(this.#held.length);
    }
    if (group === 'unfinished' || group === 'overlong') {
      this.#pass(space.length);
      return this.#drop(opener.exec(rest)![0].length);
    }
    if (group === null) {
      this.#pass(space.length);
      if (this.#held[0] === '\\') return this.#pass(2);
      // Nobody sees a link without a text.
      if (/^\[\s*\]/.test(rest) && endsInGroup(this.#line.tail)) this.#write('…');
      this.#depth += 1;
      if (mayCite(rest)) this.#citedDepth = this.#depth;
      return this.#pass(1);
    }
    const isEntry = this.#line.isStart || /[\n\r]/.test(space);
    if (group.ranges === null) {
      this.#isUnclear ||= /[`~<]/.test(rest.slice(0, group.length));
      if (endsInGroup(this.#line.tail)) this.#citedDepth = this.#depth;
      this.#pass(space.length + group.length);
      this.#behind = { sources: [], isEntry };
      return true;
    }
    const known = this.#known(group.ranges);
    if (known.length === 0 && group.isPlain && space === '' && isArrayIndex(this.#line.tail)) {
      this.#pass(group.length);
      this.#behind = { sources: [], isEntry: false };
      return true;
    }
    if (known.length === 0) {
      // The space in front goes with it, and its line stays.
      this.#pass(space.search(/[^\n\r]*$/));
      this.#drop(this.#held.length - rest.length + group.length);
      const behind = this.#behind ?? { sources: [], isEntry };
      if (endsInGroup(this.#line.tail)) {
        this.#write('…');
        this.#citedDepth = this.#depth;
      }
      this.#behind = behind;
      return true;
    }
    // With an ellipsis it is what was left of one.
    const isRest = rest.slice(0, group.length).includes('…');
    if (!isRest) for (const source of known) this.#cited.set(source.number, source);
    this.#drop(space.length + group.length);
    this.#write(`${space}[${known.map(({ number }) => number).join(', ')}${isRest ? '…' : ''}]`);
    this.#behind = { sources: known, isEntry };
    this.#citedDepth = this.#depth;
    return true;
  }

  #known(ranges: NonNullable<CitationGroup['ranges']>): Source[] {
    const numbers = ranges.flatMap(([from, to]) =>
      from === to ? [from] : [...this.#sources.keys()].filter((each) => each >= from && each <= to),
    );
    return [...new Set(numbers)].flatMap((number) => this.#sources.get(number) ?? []);
  }

  #judgeCode(isLast: boolean): boolean {
    const held = this.#held;
    const run = /^(?:`+|~+)/.exec(held)![0];
    if (run === held && !isLast) return run.length > maxSpan ? this.#pass(run.length) : false;
    // What was left out between two marks must not make one of them.
    if (this.#hasDropped && /[`~\\]$/.test(this.#line.tail)) return this.#separate();
    const ahead = held.slice(0, maxSpan + 1);
    const line = /^[^\n\r]*/.exec(ahead)![0];
    const hasEnd = isLast || line.length < ahead.length;
    const column = run.length >= 3 && !this.#isUnclearToEnd ? this.#line.fenceColumn : null;
    const hasMark = line.slice(run.length, maxSpan).includes('`');
    if (column !== null && (run[0] === '~' || !hasMark)) {
      if (!hasEnd && line.length < maxSpan) return false;
      // Readers differ where there is such a mark behind tildes.
      if (column === 'unclear' || hasMark) this.#isUnclearToEnd = true;
      else if (line.length < maxSpan) {
        this.#mode = new CodeFence(run, column);
        this.#line.beginFence();
        return this.#pass(line.length, true);
      }
    }
    if (run[0] === '~') return this.#pass(run.length);
    const span = line.slice(run.length, maxSpan);
    const end = new RegExp(`(?<!\`)${run}(?!\`)`).exec(span);
    const isWhole = end !== null && (hasEnd || run.length + end.index + run.length < line.length);
    if (!isWhole && !hasEnd && line.length < maxSpan) return false;
    // An address that Markdown makes a link by itself takes marks for a part of it.
    this.#isUnclear ||= /(?:https?:\/\/|www\.)\S*$|\S{80}$/i.test(this.#line.tail);
    // Cells of a table end it, and so may the text of a link.
    const isCut = /\||\]\(/.test(span.slice(0, end?.index));
    if (isWhole && !this.#isUnclear && !this.#isUnclearToEnd && !isCut)
      return this.#pass(run.length + end.index + run.length);
    this.#isUnclear = true;
    return this.#pass(run.length);
  }

  #judgeMarkup(isLast: boolean): boolean {
    if (this.#held === '<' && !isLast) return false;
    if (/^<[a-z/!?]/i.test(this.#held)) {
      // A number in brackets is one with a tag in it, too.
      if (endsInGroup(this.#line.tail)) this.#write('…');
      this.#isUnclear = true;
      if (this.#line.isEmpty) this.#isUnclearToEnd = true;
    }
    return this.#pass(1);
  }

  #closeBracket(): boolean {
    const { tail } = this.#line;
    // Where it cannot be told what is code, it cannot be told which bracket this one closes either.
    const isCited = this.#citedDepth > 0 && (this.#isUnclear || this.#depth <= this.#citedDepth);
    const mayBeNumber = (this.#isUnclear || escapedEnd.test(tail)) && bracketedNumber.test(tail);
    this.#depth = Math.max(0, this.#depth - 1);
    if (!this.#isUnclear) this.#citedDepth = Math.min(this.#citedDepth, this.#depth);
    this.#pass(1);
    if (isCited || mayBeNumber) this.#behind = { sources: [], isEntry: false };
    return true;
  }

  /** Keeps what follows apart from what was passed on. */
  #separate(): boolean {
    if (/\S$/.test(this.#line.tail)) this.#write(' ');
    this.#behind = null;
    return true;
  }

  #drop(length: number): true {
    this.#hasDropped ||= length > 0;
    this.#held = this.#held.slice(length);
    return true;
  }

  #pass(length: number, isCode = false): true {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text !== '') this.#write(text, isCode);
    return true;
  }

  #write(text: string, isCode = false): void {
    this.#passed += text;
    this.#behind = null;
    this.#hasDropped = false;
    if (!this.#line.add(text, isCode)) return;
    this.#isUnclear = false;
    this.#depth = 0;
    this.#citedDepth = 0;
  }
}

function isSameOrigin(known: string | undefined, address: string): boolean {
  if (known === undefined) return false;
  const said = URL.parse(address.replace(/^www\./i, 'https://www.'));
  return said !== null && URL.parse(known)?.origin === said.origin;
}

/** What is passed on of a whole text, whatever else is due having its turn in between. */
export async function judgeWhole(
  citations: Citations,
  text: string,
  pauses = new TextPauses(),
): Promise<string> {
  let passed = '';
  for (const piece of textPieces(text)) {
    passed += citations.push(piece);
    if (pauses.isDue(piece)) await setImmediate();
  }
  return passed + citations.end();
}
