import { type InlineFile, InlineFileDecoder } from '@parley/protocol/inline-file';

/** The string of a file part while it comes in: an address, or content that is decoded at once. */
export class FileText {
  /** Addresses stay in the JSON; everything else is content. */
  kind: 'undecided' | 'address' | 'content' = 'undecided';
  readonly #decoder = new InlineFileDecoder();
  /** Gathers short pieces: a text may come in as millions of escapes. */
  readonly #scratch: Buffer;
  #gathered = 0;
  #beginning = '';
  #highSurrogate = 0;

  constructor(scratch: Buffer) {
    this.#scratch = scratch;
  }

  /** Characters that need no escape, as UTF-8. */
  push(text: Uint8Array): void {
    this.#endSurrogate();
    this.#take(text);
  }

  /** One escaped UTF-16 code unit. */
  pushUnit(unit: number): void {
    const high = this.#highSurrogate;
    if (high !== 0 && unit >= 0xdc00 && unit <= 0xdfff) {
      this.#highSurrogate = 0;
      this.#take(Buffer.from(String.fromCharCode(high, unit)));
      return;
    }
    this.#endSurrogate();
    if (unit >= 0xd800 && unit <= 0xdbff) this.#highSurrogate = unit;
    else if (unit < 0x80 && this.kind === 'content' && this.#gathered < this.#scratch.length) {
      this.#scratch[this.#gathered] = unit;
      this.#gathered += 1;
    } else this.#take(Buffer.from(String.fromCharCode(unit).toWellFormed()));
  }

  end(): InlineFile {
    this.#endSurrogate();
    this.#becomeContent();
    this.#flush();
    return this.#decoder.end();
  }

  /** A surrogate that stayed alone becomes U+FFFD. */
  #endSurrogate(): void {
    if (this.#highSurrogate === 0) return;
    this.#highSurrogate = 0;
    this.#take(Buffer.from('\ufffd'));
  }

  #take(text: Uint8Array): void {
    let rest = text;
    while (this.kind === 'undecided' && rest.length > 0) {
      this.#beginning += String.fromCharCode(rest[0] ?? 0);
      rest = rest.subarray(1);
      if (/^https?:$/i.test(this.#beginning)) this.kind = 'address';
      else if (!/^(?:h|ht|htt|http|https)$/i.test(this.#beginning)) this.#becomeContent();
    }
    if (this.kind !== 'content') return;
    if (this.#gathered + rest.length > this.#scratch.length) this.#flush();
    if (rest.length > this.#scratch.length) {
      this.#decoder.push(rest);
      return;
    }
    this.#scratch.set(rest, this.#gathered);
    this.#gathered += rest.length;
  }

  #becomeContent(): void {
    if (this.kind !== 'undecided') return;
    this.kind = 'content';
    this.#take(Buffer.from(this.#beginning, 'latin1'));
  }

  #flush(): void {
    if (this.#gathered > 0) this.#decoder.push(this.#scratch.subarray(0, this.#gathered));
    this.#gathered = 0;
  }
}
