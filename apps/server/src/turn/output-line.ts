const label = /^[ \t>*+\-.)\d]*\[[^\]]*\]:[ \t]*$/;
/** The marks of items at the beginning of a line; with a tab or five spaces behind one, readers differ. */
const marks = /^(?: *(?:[-*+]|\d{1,9}[.)]) {1,4}(?![ \t]))+/;
const mark = / *(?:[-*+]|\d{1,9}[.)]) {1,4}/g;
const rule = /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
/** An item that may begin where a paragraph goes on otherwise. */
const interrupting = /^[ \t]*(?:[-*+]|1[.)])[ \t]/;

/** Follows where in a Markdown text its end is, as far as what comes next depends on it. */
export class OutputLine {
  /** The line so far, as much of it as matters. */
  #line = '';
  #tail = '';
  /** The columns at which the texts of the items begin that are open, from the outside. */
  #items: number[] = [];
  /** A line that may belong to them, and may have closed them. */
  #isUnclear = false;
  #isBehindEmptyLine = true;
  #isBehindLabel = false;

  /** The last characters. */
  get tail(): string {
    return this.#tail;
  }

  /** Nothing but what may stand before the text of a block. */
  get isStart(): boolean {
    return /^[ \t>*+\-.)#\d]*$/.test(this.#line);
  }

  /** Nothing but spaces. */
  get isEmpty(): boolean {
    return /^[ \t]*$/.test(this.#line);
  }

  /** Nothing but spaces, and some of them. */
  get isIndented(): boolean {
    return this.#line !== '' && this.isEmpty;
  }

  /**
   * The column at which the item begins that holds a fence of code here, 0 outside of lists; null where none may begin,
   * and `unclear` where that depends on the reader.
   */
  get fenceColumn(): number | 'unclear' | null {
    const prefix = marks.exec(this.#line)?.[0] ?? '';
    if (!/^[ \t]*$/.test(this.#line.slice(prefix.length)))
      return item.test(this.#line) && this.isStart ? 'unclear' : null;
    if (this.#isBehindLabel) return 'unclear';
    const indent = width(/^[ \t]*/.exec(this.#line)![0]);
    const holder = this.#holderOf(indent);
    const isBetween = this.#items.length > 0 && ((holder === 0 && indent > 0) || this.#line.includes('\t'));
    if (isBetween || (this.#isUnclear && (indent > 1 || prefix !== ''))) return 'unclear';
    if (indent - holder > 3) return this.#items.length > 0 ? 'unclear' : null;
    if (prefix !== '' && (this.#mayGoOn(this.#line) || prefix.match(mark)!.length > 1)) return 'unclear';
    return prefix === '' ? holder : width(prefix);
  }

  /** Adds what is passed on; true when it ended a paragraph with an empty line. */
  add(text: string, isCode = false): boolean {
    const normal = (this.#tail.endsWith('\r') && text.startsWith('\n') ? text.slice(1) : text).replace(
      /\r\n?/g,
      '\n',
    );
    let isParagraphEnd = false;
    let from = 0;
    for (let end = normal.indexOf('\n'); end >= 0; end = normal.indexOf('\n', from)) {
      const line = this.#line + normal.slice(from, Math.min(end, from + 100));
      if (line.trim() === '') isParagraphEnd = true;
      else if (!isCode) this.#endLine(line);
      this.#isBehindEmptyLine = line.trim() === '';
      this.#isBehindLabel = !isCode && label.test(line);
      this.#line = '';
      from = end + 1;
    }
    if (this.#line.length < 100) this.#line += normal.slice(from, from + 100);
    this.#tail = (this.#tail + text.slice(-80)).slice(-80);
    return isParagraphEnd;
  }

  /** A fence of code begins on this line, whose marks of items count before the line ends. */
  beginFence(): void {
    this.#endLine(this.#line);
  }

  /** Whether what looks like an item may be one more line of a paragraph. */
  #mayGoOn(line: string): boolean {
    return !this.#isBehindEmptyLine && this.#items.length === 0 && !interrupting.test(line);
  }

  #holderOf(indent: number): number {
    return this.#items.findLast((column) => column <= indent) ?? 0;
  }

  #endLine(line: string): void {
    const indent = width(/^[ \t]*/.exec(line)![0]);
    const isInside = indent >= (this.#items.at(-1) ?? 0);
    // The text of an item is two columns in or more.
    if (this.#isBehindEmptyLine && indent < 2) {
      this.#items = [];
      this.#isUnclear = false;
    } else if (!isInside && !this.#isBehindEmptyLine && !item.test(line)) this.#isUnclear = true;
    if (!item.test(line)) {
      if (!this.#isUnclear) this.#items = this.#items.filter((column) => column <= indent);
      return;
    }
    const holder = this.#holderOf(indent);
    const prefix = marks.exec(line)?.[0];
    // Without a text, or too far in, it may be one more line of a paragraph.
    const isEmpty = prefix?.trimEnd() === line.trimEnd();
    const isDoubtful = prefix === undefined || isEmpty || rule.test(line) || this.#mayGoOn(line);
    // Each column is held once, however many lines there are.
    this.#items = this.#items.filter((column) => column <= indent);
    if (isDoubtful || indent - holder > 3) {
      this.#isUnclear = true;
      this.#items.push(indent + 2);
      return;
    }
    let columns = 0;
    for (const found of prefix!.match(mark)!) this.#items.push((columns += found.length));
  }
}

/** In columns, of which a tab fills up four. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}
