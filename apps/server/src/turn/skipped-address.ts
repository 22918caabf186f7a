/** The most that a title of an address may take before what follows is text again. */
const maxTitle = 300;
const scheme = /^[a-z][a-z\d+.-]*:\S/i;

/** Whether what stands in parentheses is an address, and not a remark. More of it does not change a yes. */
export const isAddress = (token: string): boolean =>
  /^[</\\#?]|^www\.|\.[a-z]{2,}/i.test(token) || scheme.test(token);

/** Leaves an address of Markdown out, character by character, with its title and the parenthesis that closes it. */
export class SkippedAddress {
  #phase: 'address' | 'behind' | 'title' = 'address';
  #depth: number;
  #escaped = false;
  readonly #isPointed: boolean;
  #quote = '';
  #titleLength = 0;

  /** `opening`: the parenthesis or the pointed bracket, or both, that it stands in; empty for an address alone. */
  constructor(opening: string) {
    this.#depth = opening.includes('(') ? 1 : 0;
    this.#isPointed = opening.includes('<');
  }

  /** How much of the text belongs to it, whether that is its end, and whether what it stands in was closed with it. */
  take(text: string): { readonly length: number; readonly isEnd: boolean; readonly isClosed: boolean } {
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at]!;
      if (this.#phase === 'address') {
        if (this.#escaped) this.#escaped = false;
        else if (character === '\\') this.#escaped = true;
        else if (this.#isPointed && character === '>') {
          if (this.#depth === 0) return { length: at + 1, isEnd: true, isClosed: true };
          this.#phase = 'behind';
          continue;
        } else if (!this.#isPointed && character === '(') this.#depth += 1;
        else if (!this.#isPointed && character === ')' && this.#depth > 0) {
          this.#depth -= 1;
          if (this.#depth === 0) return { length: at + 1, isEnd: true, isClosed: true };
        }
        // Only in parentheses may an address have spaces.
        if (!(this.#isPointed && this.#depth > 0 ? /[\n\r]/ : /\s/).test(character)) continue;
        if (this.#depth === 0) return { length: at, isEnd: true, isClosed: false };
        this.#phase = 'behind';
        continue;
      }
      if (this.#phase === 'behind') {
        if (character === ')') return { length: at + 1, isEnd: true, isClosed: true };
        if (this.#quote === '' && /["'(]/.test(character)) {
          this.#quote = character === '(' ? ')' : character;
          this.#phase = 'title';
        } else if (!/\s/.test(character)) return { length: at, isEnd: true, isClosed: false };
        continue;
      }
      this.#titleLength += 1;
      if (this.#titleLength > maxTitle) return { length: at, isEnd: true, isClosed: false };
      if (this.#escaped) this.#escaped = false;
      else if (character === '\\') this.#escaped = true;
      else if (character === this.#quote) this.#phase = 'behind';
    }
    return { length: text.length, isEnd: false, isClosed: false };
  }
}
