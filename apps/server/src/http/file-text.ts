import { type InlineFile, InlineFileDecoder } from '@parley/protocol/inline-file';

const replacement = Uint8Array.of(0xef, 0xbf, 0xbd);

/** The string of a file part while it comes in: an address, or content that is decoded at once. */
export class FileText {
  /** Addresses stay in the JSON; everything else is content. */
  kind: 'undecided' | 'address' | 'content' = 'undecided';
  readonly #decoder = new InlineFileDecoder();
  #beginning = '';
  #highSurrogate = 0;

  /** Characters that need no escape, as UTF-8. */
  push(text: Uint8Array): void {
    if (this.#highSurrogate !== 0) this.#lone();
    this.#decoded(text);
  }

  /** One escaped UTF-16 code unit. */
  pushUnit(unit: number): void {
    const high = this.#highSurrogate;
    if (high !== 0 && unit >= 0xdc00 && unit <= 0xdfff) {
      this.#highSurrogate = 0;
      this.#decoded(Buffer.from(String.fromCharCode(high, unit)));
      return;
    }
    if (high !== 0) this.#lone();
    if (unit >= 0xd800 && unit <= 0xdbff) this.#highSurrogate = unit;
    else if (unit < 0x80) this.#decoded(Uint8Array.of(unit));
    else this.#decoded(Buffer.from(String.fromCharCode(unit).toWellFormed()));
  }

  end(): InlineFile {
    if (this.#highSurrogate !== 0) this.#lone();
    this.#becomeContent();
    return this.#decoder.end();
  }

  #lone(): void {
    this.#highSurrogate = 0;
    this.#decoded(replacement);
  }

  #decoded(text: Uint8Array): void {
    let rest = text;
    while (this.kind === 'undecided' && rest.length > 0) {
      this.#beginning += String.fromCharCode(rest[0] ?? 0);
      rest = rest.subarray(1);
      if (/^https?:$/i.test(this.#beginning)) this.kind = 'address';
      else if (!/^(?:h|ht|htt|http|https)$/i.test(this.#beginning)) this.#becomeContent();
    }
    if (this.kind === 'content') this.#decoder.push(rest);
  }

  #becomeContent(): void {
    if (this.kind !== 'undecided') return;
    this.kind = 'content';
    this.#decoder.push(Uint8Array.from(this.#beginning, (character) => character.charCodeAt(0)));
  }
}
