/** Follows where in a Markdown text its end is, as far as what comes next depends on it. */
export class OutputLine {
  /** The line so far, as much of it as matters. */
  #line = '';
  #tail = '';
  /** Where the text of the list item begins that is open; 0 outside of lists. */
  #listIndent = 0;

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
    const { indent } = this;
    return indent !== null && (indent < 4 || (this.#listIndent <= indent && indent < this.#listIndent + 4));
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
      this.#line = '';
      from = end + 1;
    }
    if (this.#line.length < 100) this.#line += normal.slice(from, from + 100);
    this.#tail = (this.#tail + text.slice(-80)).slice(-80);
    return isParagraphEnd;
  }

  #endLine(line: string): void {
    const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(line);
    if (item) this.#listIndent = width(item[0]);
    else if (width(/^[ \t]*/.exec(line)![0]) < this.#listIndent) this.#listIndent = 0;
  }
}

const width = (text: string): number => text.replaceAll('\t', '    ').length;
