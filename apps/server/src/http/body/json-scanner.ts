import { type NumberState, firstOfNumber, isWholeNumber, nextOfNumber } from './json-number.ts';

/** Longer keys, as they are sent, are handed on as the empty one. */
const maxKeyBytes = 64;

const byteOrderMark = [0xef, 0xbb, 0xbf];
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const whiteSpace = [0x20, 0x0a, 0x0d, 0x09];

const escapeNames = '"\\/bfnrt';
const escapes = new Map(
  Array.from(escapeNames, (name, index) => [name.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(index)]),
);
const literals = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'separator' | 'nothing';
type Mode = 'structure' | 'string' | 'escape' | 'unicode' | 'number' | 'literal';

/**
 * The grammar of RFC 8259 over chunks of bytes; the caller checks their UTF-8. It calls a method of the subclass for
 * every value, key and string it meets; an `index` is a place in the chunk.
 */
export abstract class JsonScanner {
  protected chunk: Uint8Array = new Uint8Array();
  /** Bytes of the chunks before this one. */
  protected before = 0;

  #mode: Mode = 'structure';
  #expected: Expected = 'value';
  /** The open containers: true for an object. */
  readonly #containers: boolean[] = [];
  #isKey = false;
  #key = '';
  #hexDigits = 0;
  #unit = 0;
  #number: NumberState = 'zero';
  #literal = '';

  protected abstract onValue(index: number): void;
  protected abstract onOpen(isObject: boolean, index: number): void;
  protected abstract onClose(index: number): void;
  /** A comma after a member or an item. */
  protected abstract onNext(index: number): void;
  protected abstract onKey(key: string): void;
  protected abstract onStringStart(index: number): void;
  protected abstract onCharacters(text: Uint8Array): void;
  /** One UTF-16 code unit that was escaped. */
  protected abstract onUnit(unit: number): void;
  protected abstract onStringEnd(index: number): void;
  /** The byte at `index` is not JSON. */
  protected abstract onFault(index: number): never;

  protected get depth(): number {
    return this.#containers.length;
  }

  protected scan(chunk: Uint8Array): void {
    this.chunk = chunk;
    let index = 0;
    while (index < chunk.length) {
      if (this.#mode === 'string') index = this.#inString(index);
      else if (this.#mode === 'number') index = this.#inNumber(index);
      else {
        this.#byte(chunk[index] ?? 0, index);
        index += 1;
      }
    }
    this.before += chunk.length;
    this.chunk = new Uint8Array();
  }

  /** Whether what came in is a whole document. */
  protected endScan(): boolean {
    if (this.#mode === 'number' && isWholeNumber(this.#number)) this.#endValue();
    return this.#mode === 'structure' && this.#expected === 'nothing';
  }

  #byte(byte: number, index: number): void {
    if (this.#mode === 'structure') {
      const at = this.before + index;
      const isMark = at < byteOrderMark.length && byte === byteOrderMark[at];
      if (!whiteSpace.includes(byte) && !isMark) this.#structure(byte, index);
    } else if (this.#mode === 'literal') {
      if (byte !== this.#literal.charCodeAt(0)) this.onFault(index);
      this.#literal = this.#literal.slice(1);
      if (this.#literal === '') this.#endValue();
    } else if (this.#mode === 'escape') this.#escape(byte, index);
    else this.#unicode(byte, index);
  }

  #structure(byte: number, index: number): void {
    switch (this.#expected) {
      case 'key':
      case 'key-or-end':
        if (byte === quote) return this.#startKey();
        if (byte === closeBrace && this.#expected === 'key-or-end') return this.#close(index);
        break;
      case 'colon':
        if (byte === colon) {
          this.#expected = 'value';
          return;
        }
        break;
      case 'separator':
        if (byte === comma) return this.#next(index);
        if (byte === (this.#containers.at(-1) ? closeBrace : closeBracket)) return this.#close(index);
        break;
      case 'value-or-end':
        if (byte === closeBracket) return this.#close(index);
        return this.#startValue(byte, index);
      case 'value':
        return this.#startValue(byte, index);
      case 'nothing':
    }
    this.onFault(index);
  }

  #startValue(byte: number, index: number): void {
    this.onValue(index);
    const number = firstOfNumber(byte);
    const literal = literals.get(byte);
    if (byte === openBrace || byte === openBracket) {
      const isObject = byte === openBrace;
      this.onOpen(isObject, index);
      this.#containers.push(isObject);
      this.#expected = isObject ? 'key-or-end' : 'value-or-end';
    } else if (byte === quote) {
      this.#mode = 'string';
      this.onStringStart(index);
    } else if (number !== null) {
      this.#mode = 'number';
      this.#number = number;
    } else if (literal !== undefined) {
      this.#mode = 'literal';
      this.#literal = literal.slice(1);
    } else this.onFault(index);
  }

  #endValue(): void {
    this.#mode = 'structure';
    this.#expected = this.#containers.length === 0 ? 'nothing' : 'separator';
  }

  #close(index: number): void {
    this.#containers.pop();
    this.onClose(index);
    this.#endValue();
  }

  #next(index: number): void {
    this.#expected = this.#containers.at(-1) ? 'key' : 'value';
    this.onNext(index);
  }

  #startKey(): void {
    this.#mode = 'string';
    this.#isKey = true;
    this.#key = '';
  }

  /** Up to the next escape, the end of the string or the end of the chunk; where that is. */
  #inString(from: number): number {
    const { chunk } = this;
    let end = from;
    while (end < chunk.length) {
      const byte = chunk[end] ?? 0;
      if (byte === quote || byte === backslash || byte < 0x20) break;
      end += 1;
    }
    if (end > from) {
      if (this.#isKey) this.#addToKey(from, end);
      else this.onCharacters(chunk.subarray(from, end));
    }
    if (end === chunk.length) return end;
    if (chunk[end] === backslash) this.#mode = 'escape';
    else if (chunk[end] === quote) this.#endString(end);
    else this.onFault(end);
    return end + 1;
  }

  #escape(byte: number, index: number): void {
    if (this.#isKey) this.#key += `\\${String.fromCharCode(byte)}`;
    if (byte === 0x75) {
      this.#mode = 'unicode';
      this.#hexDigits = 0;
      this.#unit = 0;
      return;
    }
    this.#endEscape(escapes.get(byte) ?? this.onFault(index));
  }

  #unicode(byte: number, index: number): void {
    if (this.#isKey) this.#key += String.fromCharCode(byte);
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) this.onFault(index);
    this.#unit = this.#unit * 16 + digit;
    this.#hexDigits += 1;
    if (this.#hexDigits === 4) this.#endEscape(this.#unit);
  }

  #endEscape(unit: number): void {
    this.#mode = 'string';
    if (!this.#isKey) this.onUnit(unit);
  }

  #addToKey(from: number, end: number): void {
    const last = Math.min(end, from + maxKeyBytes + 1);
    for (let index = from; index < last && this.#key.length <= maxKeyBytes; index += 1)
      this.#key += String.fromCharCode(this.chunk[index] ?? 0);
  }

  #endString(index: number): void {
    if (this.#isKey) {
      this.#isKey = false;
      this.#mode = 'structure';
      this.#expected = 'colon';
      this.onKey(unescaped(this.#key));
      return;
    }
    this.onStringEnd(index);
    this.#endValue();
  }

  #inNumber(from: number): number {
    let index = from;
    while (index < this.chunk.length) {
      const next = nextOfNumber(this.#number, this.chunk[index] ?? 0);
      if (next === null) {
        if (!isWholeNumber(this.#number)) this.onFault(index);
        this.#endValue();
        return index;
      }
      this.#number = next;
      index += 1;
    }
    return index;
  }
}

/** A key as it is sent, its UTF-8 as single characters. */
function unescaped(key: string): string {
  if (key.length > maxKeyBytes) return '';
  return key.includes('\\') ? String(JSON.parse(`"${key}"`)) : key;
}
