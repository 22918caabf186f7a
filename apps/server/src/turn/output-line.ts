const label = /^[ \t>*+\-.)\d]*\[[^\]]*\]:[ \t]*$/;

/** Follows where in a Markdown text its end is, as far as what comes next depends on it. */
export class OutputLine {
  /** The line so far, as much of it as matters. */
  #line = '';
  #tail = '';
  /** Where the text of the list item begins that is open; 0 outside of lists. */
  #listIndent = 0;
  #mayBeInList = false;
  #isBehindEmptyLine = false;
  #isBehindLabel = false;

  /** The last characters. */
  get tail(): string {
    return this.#tail;
  }

  /** Nothing but what may stand before the text of a block. */
  get isStart(): boolean {
    return /^[ \t>*+\-.)#\d]*$/.test(this.#line);
  }

  /** How far the line is indented; null once there is more on it. */
  get indent(): number | null {
    return /^[ \t]*$/.test(this.#line) ? width(this.#line) : null;
  }

  /** Whether a fence of code may begin here. Further in, and outside of a list, it would go on with a paragraph. */
  get mayFence(): boolean {
    return this.indent !== null && this.#mayBegin(this.indent);
  }

  /** Whether the line before is the label of a reference, whose address may come on this one. */
  get isBehindLabel(): boolean {
    return this.#isBehindLabel;
  }

  /** Whether an item of a list may hold what comes. */
  get mayBeInList(): boolean {
    return this.#mayBeInList;
  }

  /** Adds what is passed on; true when it ended a paragraph with an empty line. */
  add(text: string): boolean {
    const normal = (this.#tail.endsWith('\r') && text.startsWith('\n') ? text.slice(1) : text).replace(
      /\r\n?/g,
      '\n',
    );
    let isParagraphEnd = false;
    let from = 0;
    for (let end = normal.indexOf('\n'); end >= 0; end = normal.indexOf('\n', from)) {
      const line = this.#line + normal.slice(from, Math.min(end, from + 100));
      if (line.trim() === '') isParagraphEnd = true;
      else this.#endLine(line);
      this.#isBehindEmptyLine = line.trim() === '';
      this.#isBehindLabel = label.test(line);
      this.#line = '';
      from = end + 1;
    }
    if (this.#line.length < 100) this.#line += normal.slice(from, from + 100);
    this.#tail = (this.#tail + text.slice(-80)).slice(-80);
    return isParagraphEnd;
  }

  /** Whether a block may begin so far in. */
  #mayBegin(indent: number): boolean {
    return indent < 4 || (this.#listIndent <= indent && indent < this.#listIndent + 4);
  }

  #endLine(line: string): void {
    const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/.exec(line)?.[0];
    const indent = width(/^[ \t]*/.exec(line)![0]);
    // Without text, or too far in, it may be one more line of a paragraph.
    if (item !== undefined && item !== line && this.#mayBegin(indent)) this.#listIndent = width(item);
    else if (indent < this.#listIndent) this.#listIndent = 0;
    // The text of an item is two columns in or more, but for a paragraph that goes on.
    this.#mayBeInList = item !== undefined || (this.#mayBeInList && !(this.#isBehindEmptyLine && indent < 2));
  }
}

/** In columns, of which a tab fills up four. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}
