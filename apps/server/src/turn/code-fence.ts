/** A fenced block of code that is open: everything in it is passed on as it is. */
export class CodeFence {
  readonly #mark: string;
  readonly #length: number;
  readonly #column: number;
  /** Of the line so far: how far it is indented, and how many marks came then; null once it cannot close the fence. */
  #width = 0;
  #marks: number | null = null;
  #isIndenting = false;
  #hasSpaceBehind = false;

  /** `column`: where the text of the item begins that holds the block; 0 outside of lists. */
  constructor(mark: string, column: number) {
    this.#mark = mark[0]!;
    this.#length = mark.length;
    this.#column = column;
  }

  /** How much of the text is code, and whether the block has ended with it. */
  take(text: string): { readonly length: number; readonly isEnd: boolean } {
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at]!;
      if (character === '\n' || character === '\r') {
        const isNear = this.#width < this.#column + 4;
        if (this.#marks !== null && this.#marks >= this.#length && isNear) return { length: at, isEnd: true };
        this.#width = 0;
        this.#marks = 0;
        this.#isIndenting = true;
        this.#hasSpaceBehind = false;
      } else if (character === ' ' || character === '\t') {
        if (this.#isIndenting) this.#width += character === '\t' ? 4 - (this.#width % 4) : 1;
        else this.#hasSpaceBehind = true;
      } else {
        // Outside of the item that holds the block.
        if (this.#isIndenting && this.#width < this.#column) return { length: at, isEnd: true };
        this.#isIndenting = false;
        if (this.#marks === null) continue;
        this.#marks = character === this.#mark && !this.#hasSpaceBehind ? this.#marks + 1 : null;
      }
    }
    return { length: text.length, isEnd: false };
  }
}
