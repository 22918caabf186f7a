/** A fenced block of code that is open: everything in it is passed on as it is. */
export class CodeFence {
  readonly #mark: string;
  readonly #length: number;
  readonly #indent: number;
  /** Of the line so far: how far it is indented, and how many marks came then; null once it cannot close the fence. */
  #width = 0;
  #marks: number | null = 0;
  #isIndenting = true;
  #hasSpaceBehind = false;
  #isUnclear = false;

  /** `indent`: how far in the fence is where an item of a list may hold it; 0 where none does. */
  constructor(mark: string, indent: number) {
    this.#mark = mark[0]!;
    this.#length = mark.length;
    this.#indent = indent;
  }

  /** It has ended, and what comes may be code all the same. */
  get isUnclear(): boolean {
    return this.#isUnclear;
  }

  /** How much of the text is code, and whether the block has ended with it. */
  take(text: string): { readonly length: number; readonly isEnd: boolean } {
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at]!;
      if (character === '\n' || character === '\r') {
        if (this.#marks !== null && this.#marks >= this.#length && this.#width < this.#indent + 4) {
          // It counts from where the item’s text begins, which is up to three columns before the fence.
          this.#isUnclear = this.#width > Math.max(3, this.#indent);
          return { length: at, isEnd: true };
        }
        this.#width = 0;
        this.#marks = 0;
        this.#isIndenting = true;
        this.#hasSpaceBehind = false;
      } else if (character === ' ' || character === '\t') {
        if (this.#isIndenting) this.#width += character === '\t' ? 4 - (this.#width % 4) : 1;
        else this.#hasSpaceBehind = true;
      } else {
        // Less far in than its fence it may be outside of the item that holds the block.
        if (this.#isIndenting && this.#width < this.#indent) {
          this.#isUnclear = true;
          return { length: at, isEnd: true };
        }
        this.#isIndenting = false;
        if (this.#marks === null) continue;
        this.#marks = character === this.#mark && !this.#hasSpaceBehind ? this.#marks + 1 : null;
      }
    }
    return { length: text.length, isEnd: false };
  }
}
