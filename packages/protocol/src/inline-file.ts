import { Base64Decoder } from './base64-decoder.ts';
import { joinBytes } from './join-bytes.ts';
import { PercentDecoder } from './percent-decoder.ts';

/** Characters that are kept to recognise a scheme. */
const headLength = 100;
/** Characters of a data URL up to its comma. */
const maxHeaderLength = 1_024;

/** A file that came inside a JSON body, decoded. */
export class InlineFile {
  /** How its text began: tells a data URL, or another scheme, from base64. */
  readonly head: string;
  /** Null when the text is neither base64 nor a data URL, or holds no byte. */
  readonly bytes: Uint8Array | null;

  constructor(head: string, bytes: Uint8Array | null) {
    this.head = head;
    this.bytes = bytes;
  }

  /** The bytes have no place in JSON: who compares bodies compares their digest. */
  toJSON(): unknown {
    return { head: this.head, size: this.bytes?.length ?? null };
  }
}

/** The file in a text that is base64 or a data URL. */
export function decodeInlineFile(text: string): InlineFile {
  const decoder = new InlineFileDecoder();
  decoder.push(new TextEncoder().encode(text));
  return decoder.end();
}

type Form = 'unknown' | 'base64' | 'percent' | 'percent-base64' | 'neither';

/** Decodes base64 or a data URL while its text comes in, as UTF-8. */
export class InlineFileDecoder {
  #form: Form = 'unknown';
  #head = '';
  /** A data URL up to its comma, or what may become one. */
  #header = '';
  #pieces: Uint8Array[] = [];
  #size = 0;
  readonly #base64 = new Base64Decoder();
  readonly #percent = new PercentDecoder();

  push(text: Uint8Array): void {
    if (this.#head.length < headLength)
      this.#head += String.fromCharCode(...text.subarray(0, headLength - this.#head.length));
    this.#decode(this.#form === 'unknown' ? this.#afterHeader(text) : text);
  }

  end(): InlineFile {
    if (this.#form === 'unknown') {
      const isDataUrl = this.#header.length >= 5;
      this.#form = isDataUrl ? 'neither' : 'base64';
      this.#decode(new TextEncoder().encode(this.#header));
    }
    if (this.#form === 'percent') this.#keep(this.#percent.end());
    if (this.#form === 'percent-base64') this.#keep(this.#base64.push(this.#percent.end()));
    if (this.#form.endsWith('base64')) this.#keep(this.#base64.end());
    const bytes = this.#form === 'neither' || this.#size === 0 ? null : joinBytes(this.#pieces);
    this.#pieces = [];
    return new InlineFile(this.#head, bytes);
  }

  /** Reads the text until it is known what it is; what follows. */
  #afterHeader(text: Uint8Array): Uint8Array {
    for (const [index, byte] of text.entries()) {
      this.#header += String.fromCharCode(byte);
      const rest = text.subarray(index + 1);
      if (!'data:'.startsWith(this.#header.slice(0, 5).toLowerCase())) {
        this.#form = 'base64';
        this.#decode(Uint8Array.from(this.#header, (character) => character.charCodeAt(0)));
        return rest;
      }
      if (this.#header.endsWith(',')) {
        this.#form = /;\s*base64,$/i.test(this.#header) ? 'percent-base64' : 'percent';
        return rest;
      }
      if (this.#header.length === maxHeaderLength) {
        this.#form = 'neither';
        return rest;
      }
    }
    return new Uint8Array();
  }

  #decode(text: Uint8Array): void {
    if (this.#form === 'base64') this.#keep(this.#base64.push(text));
    else if (this.#form === 'percent') this.#keep(this.#percent.push(text));
    else if (this.#form === 'percent-base64') this.#keep(this.#base64.push(this.#percent.push(text)));
  }

  #keep(bytes: Uint8Array | null): void {
    if (bytes === null) {
      this.#form = 'neither';
      this.#pieces = [];
      this.#size = 0;
    } else if (bytes.length > 0) {
      this.#pieces.push(bytes);
      this.#size += bytes.length;
    }
  }
}
