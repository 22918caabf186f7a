import { randomUUID } from 'node:crypto';
import { maxInlineFileBytes, maxJsonDepth, maxMessageParts } from '@parley/protocol/bounds';
import type { InlineFile } from '@parley/protocol/inline-file';
import type { BodyBounds } from './body-bounds.ts';
import { type BodyPlace, itemPlace, memberPlace, replaceFiles } from './body-place.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { FileText } from './file-text.ts';
import { type NumberState, firstOfNumber, isWholeNumber, nextOfNumber } from './json-number.ts';
import { ProblemError } from './problem.ts';

/** Longer keys, as they are sent, name no place that matters. */
const maxKeyBytes = 64;
const scratchBytes = 16 * 1_024;

const byteOrderMark = [0xef, 0xbb, 0xbf];
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const escapes = new Map(
  [...'"\\/bfnrt'].map((name, index) => [name.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(index)]),
);
const literals = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

const utf8 = new TextDecoder('utf-8', { fatal: true });

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'separator' | 'nothing';
type Mode = 'structure' | 'string' | 'escape' | 'unicode' | 'number' | 'literal';

interface Container {
  readonly isObject: boolean;
  readonly place: BodyPlace;
}

/** A text at the place of a file's content: where its first character is, and how much was kept before its quote. */
interface FileInProgress {
  readonly file: FileText;
  readonly start: number;
  readonly kept: number;
}

/** How much there was when an entry of `messages` began. */
interface EntryStart {
  readonly kept: number;
  readonly files: number;
  readonly values: number;
  readonly bytes: number;
}

/**
 * Reads a JSON body while it comes in: checks its grammar, counts its bytes, depth and values, decodes the content of
 * file parts, and keeps the rest for `JSON.parse`. Of `messages` only the last entry is kept. A body over a bound is
 * refused at the chunk that goes over it.
 */
export class BodyScanner {
  readonly #bounds: BodyBounds;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  readonly #kept = new ByteBuffer();
  #chunk: Uint8Array = new Uint8Array();
  /** Where in the chunk begins what is to be kept; null within the content of a file. */
  #keepFrom: number | null = 0;
  /** Bytes of the chunks before this one. */
  #before = 0;

  #mode: Mode = 'structure';
  #expected: Expected = 'value';
  #place: BodyPlace = 'root';
  readonly #containers: Container[] = [];
  #isKey = false;
  #key = '';
  #hexDigits = 0;
  #unit = 0;
  #number: NumberState = 'zero';
  #literal = '';

  #values = 0;
  /** Bytes of file content. */
  #fileBytes = 0;
  /** Bytes of `messages`, and those of its last entry. */
  #messagesBytes = 0;
  #lastEntryBytes = 0;
  #messagesStart: number | null = null;
  #entryStart: EntryStart | null = null;

  #text: FileInProgress | null = null;
  readonly #scratch = Buffer.allocUnsafeSlow(scratchBytes);
  #files: InlineFile[] = [];
  /** Stands for a file in what is kept. Nobody can guess it. */
  readonly #token = randomUUID();

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds;
  }

  /** Whether nothing but white space came in. */
  get isEmpty(): boolean {
    return this.#values === 0;
  }

  push(chunk: Uint8Array): void {
    this.#decode(() => this.#utf8.decode(chunk, { stream: true }));
    this.#chunk = chunk;
    if (this.#keepFrom !== null) this.#keepFrom = 0;
    let index = 0;
    while (index < chunk.length) {
      if (this.#mode === 'string') index = this.#inString(index);
      else if (this.#mode === 'number') index = this.#inNumber(index);
      else {
        this.#byte(chunk[index] ?? 0, index);
        index += 1;
      }
    }
    this.#keep(chunk.length);
    this.#before += chunk.length;
    this.#chunk = new Uint8Array();
    this.#check(this.#before);
  }

  /** The parsed body, with an `InlineFile` where the content of a file stood. */
  end(): unknown {
    this.#decode(() => this.#utf8.decode());
    if (this.#mode === 'number' && isWholeNumber(this.#number)) this.#endValue();
    if (this.#mode !== 'structure' || this.#expected !== 'nothing') throw notJson();
    const body: unknown = this.#decode(() => JSON.parse(utf8.decode(this.#kept.read())));
    if (this.#files.length > 0) {
      replaceFiles(body, (text) =>
        text.startsWith(this.#token) ? this.#files[Number(text.slice(this.#token.length))] : text,
      );
    }
    return body;
  }

  #byte(byte: number, index: number): void {
    if (this.#mode === 'structure') {
      const isSpace = byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
      const isMark =
        this.#before + index < byteOrderMark.length && byte === byteOrderMark[this.#before + index];
      if (!isSpace && !isMark) this.#structure(byte, index);
    } else if (this.#mode === 'literal') {
      if (byte !== this.#literal.charCodeAt(0)) this.#refuse(index);
      this.#literal = this.#literal.slice(1);
      if (this.#literal === '') this.#endValue();
    } else if (this.#mode === 'escape') this.#escape(byte, index);
    else this.#unicode(byte, index);
  }

  #structure(byte: number, index: number): void {
    const container = this.#containers.at(-1);
    switch (this.#expected) {
      case 'key':
      case 'key-or-end':
        if (byte === quote) return this.#startString(index, true);
        if (byte === closeBrace && this.#expected === 'key-or-end') return this.#close(index);
        break;
      case 'colon':
        if (byte === 0x3a) {
          this.#expected = 'value';
          return;
        }
        break;
      case 'separator':
        if (byte === comma) return this.#nextItem(index);
        if (byte === (container?.isObject ? closeBrace : closeBracket)) return this.#close(index);
        break;
      case 'value-or-end':
        if (byte === closeBracket) return this.#close(index);
        return this.#startValue(byte, index);
      case 'value':
        return this.#startValue(byte, index);
      case 'nothing':
    }
    this.#refuse(index);
  }

  #startValue(byte: number, index: number): void {
    const container = this.#containers.at(-1);
    if (container && !container.isObject) this.#place = itemPlace(container.place);
    if (this.#place === 'entry' && this.#messagesStart !== null) this.#startEntry(index);
    this.#values += 1;
    // An entry of `messages` counts when it is the last.
    if (this.#entryStart === null) this.#checkCounts(index);
    const number = firstOfNumber(byte);
    const literal = literals.get(byte);
    if (byte === openBrace || byte === openBracket) this.#open(byte === openBrace, index);
    else if (byte === quote) this.#startString(index, false);
    else if (number !== null) {
      this.#mode = 'number';
      this.#number = number;
    } else if (literal !== undefined) {
      this.#mode = 'literal';
      this.#literal = literal.slice(1);
    } else this.#refuse(index);
  }

  #endValue(): void {
    this.#mode = 'structure';
    this.#expected = this.#containers.length === 0 ? 'nothing' : 'separator';
  }

  #open(isObject: boolean, index: number): void {
    if (this.#containers.length === maxJsonDepth) {
      this.#check(this.#before + index);
      throw new ProblemError('BAD_REQUEST', `The body is nested deeper than ${maxJsonDepth} levels.`);
    }
    this.#containers.push({ isObject, place: this.#place });
    this.#expected = isObject ? 'key-or-end' : 'value-or-end';
    const isMessages = this.#place === 'messages' && !isObject && this.#bounds.messagesBytes > 0;
    if (isMessages) this.#messagesStart = this.#jsonBytes(this.#before + index + 1);
  }

  #close(index: number): void {
    const container = this.#containers.pop();
    if (container?.place === 'messages' && !container.isObject && this.#messagesStart !== null) {
      const now = this.#jsonBytes(this.#before + index);
      this.#messagesBytes += now - this.#messagesStart;
      this.#lastEntryBytes += this.#entryStart ? now - this.#entryStart.bytes : 0;
      this.#messagesStart = null;
      this.#entryStart = null;
      this.#checkCounts(index);
    }
    this.#endValue();
  }

  #nextItem(index: number): void {
    const container = this.#containers.at(-1);
    this.#expected = container?.isObject ? 'key' : 'value';
    if (container?.place === 'messages' && this.#entryStart !== null) this.#dropEntry(index);
  }

  #startEntry(index: number): void {
    this.#keep(index);
    const bytes = this.#jsonBytes(this.#before + index);
    this.#entryStart = {
      kept: this.#kept.length,
      files: this.#files.length,
      values: this.#values,
      bytes,
    };
  }

  /** Another entry follows: a 0 stands for this one. */
  #dropEntry(index: number): void {
    if (this.#entryStart === null) return;
    const { kept, files, values } = this.#entryStart;
    this.#kept.truncate(kept);
    this.#kept.append(Uint8Array.of(0x30));
    this.#keepFrom = index;
    this.#files.length = files;
    this.#values = values + 1;
    this.#entryStart = null;
  }

  #startString(index: number, isKey: boolean): void {
    this.#mode = 'string';
    this.#isKey = isKey;
    this.#key = '';
    if (isKey || this.#place !== 'file' || !this.#bounds.message) return;
    // The message is refused, or dropped: its texts need not be read.
    if (this.#files.length > maxMessageParts) return;
    this.#keep(index);
    this.#text = {
      file: new FileText(this.#scratch),
      start: this.#before + index + 1,
      kept: this.#kept.length,
    };
  }

  /** Up to the next escape, the end of the string or the end of the chunk; where that is. */
  #inString(from: number): number {
    const chunk = this.#chunk;
    let end = from;
    while (end < chunk.length) {
      const byte = chunk[end] ?? 0;
      if (byte === quote || byte === backslash || byte < 0x20) break;
      end += 1;
    }
    if (end > from && this.#text) {
      this.#text.file.push(chunk.subarray(from, end));
      this.#decide();
    }
    if (end > from && this.#isKey) this.#addToKey(from, end);
    if (end === chunk.length) return end;
    if (chunk[end] === backslash) this.#mode = 'escape';
    else if (chunk[end] === quote) this.#endString(end);
    else this.#refuse(end);
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
    const unit = escapes.get(byte);
    if (unit === undefined) return this.#refuse(index);
    this.#endEscape(unit);
  }

  #unicode(byte: number, index: number): void {
    if (this.#isKey) this.#key += String.fromCharCode(byte);
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) this.#refuse(index);
    this.#unit = this.#unit * 16 + digit;
    this.#hexDigits += 1;
    if (this.#hexDigits === 4) this.#endEscape(this.#unit);
  }

  #endEscape(unit: number): void {
    this.#mode = 'string';
    if (!this.#text) return;
    this.#text.file.pushUnit(unit);
    this.#decide();
  }

  #addToKey(from: number, end: number): void {
    const last = Math.min(end, from + maxKeyBytes + 1);
    for (let index = from; index < last && this.#key.length <= maxKeyBytes; index += 1)
      this.#key += String.fromCharCode(this.#chunk[index] ?? 0);
  }

  #endString(index: number): void {
    if (this.#isKey) {
      const object = this.#containers.at(-1)?.place ?? 'other';
      this.#place = object === 'other' ? 'other' : memberPlace(object, unescaped(this.#key));
      this.#isKey = false;
      this.#mode = 'structure';
      this.#expected = 'colon';
      return;
    }
    if (this.#text) this.#endText(this.#text, index);
    this.#endValue();
  }

  #inNumber(from: number): number {
    let index = from;
    while (index < this.#chunk.length) {
      const next = nextOfNumber(this.#number, this.#chunk[index] ?? 0);
      if (next === null) {
        if (!isWholeNumber(this.#number)) this.#refuse(index);
        this.#endValue();
        return index;
      }
      this.#number = next;
      index += 1;
    }
    return index;
  }

  /** Takes the text out of what is kept once it is known to be the content of a file. */
  #decide(): void {
    const kind = this.#text?.file.kind;
    if (kind === 'address') this.#text = null;
    if (kind !== 'content' || !this.#text || this.#keepFrom === null) return;
    this.#kept.truncate(this.#text.kept);
    this.#keepFrom = null;
  }

  #endText(text: FileInProgress, index: number): void {
    const file = text.file.end();
    this.#decide();
    this.#fileBytes += this.#before + index - text.start;
    this.#text = null;
    this.#files.push(file);
    this.#kept.append(Buffer.from(`"${this.#token}${this.#files.length - 1}"`));
    if (this.#entryStart === null) this.#checkCounts(index);
    this.#keepFrom = index + 1;
  }

  #keep(to: number): void {
    if (this.#keepFrom === null) return;
    this.#kept.append(this.#chunk.subarray(this.#keepFrom, to));
    this.#keepFrom = to;
  }

  /** The first `total` bytes of the body without the content of files, and without a text that may become one. */
  #jsonBytes(total: number): number {
    return total - this.#fileBytes - (this.#text ? total - this.#text.start : 0);
  }

  #check(total: number): void {
    const { jsonBytes, messagesBytes } = this.#bounds;
    const isContent = this.#text?.file.kind === 'content';
    const files = this.#fileBytes + (this.#text && isContent ? total - this.#text.start : 0);
    if (files > maxInlineFileBytes)
      throw tooLarge(
        `The files in a JSON body have at most ${maxInlineFileBytes} bytes together, as they are sent.`,
      );
    const json = this.#jsonBytes(total);
    const messages = this.#messagesBytes + (this.#messagesStart === null ? 0 : json - this.#messagesStart);
    if (messages > messagesBytes) throw tooLarge(`'messages' has at most ${messagesBytes} bytes.`);
    if (json - messages + this.#lastEntryBytes > jsonBytes)
      throw tooLarge(`A JSON body has at most ${jsonBytes} bytes, the content of its files not counted.`);
  }

  #checkCounts(index: number): void {
    if (this.#values <= this.#bounds.values && this.#files.length <= maxMessageParts) return;
    this.#check(this.#before + index);
    const counted =
      this.#values > this.#bounds.values
        ? `A JSON body has at most ${this.#bounds.values} values.`
        : `A message has at most ${maxMessageParts} parts.`;
    throw new ProblemError('BAD_REQUEST', counted);
  }

  #refuse(index: number): never {
    this.#check(this.#before + index);
    throw notJson();
  }

  #decode<Value>(decode: () => Value): Value {
    try {
      return decode();
    } catch {
      throw notJson();
    }
  }
}

function notJson(): ProblemError {
  return new ProblemError('BAD_REQUEST', 'Invalid JSON body.', {
    issues: [{ path: [], message: 'Expected a JSON document in UTF-8.' }],
  });
}

function tooLarge(message: string): ProblemError {
  return new ProblemError('TOO_LARGE', message);
}

/** A key as it is sent, its UTF-8 as single characters; empty when it is longer than any that matters. */
function unescaped(key: string): string {
  if (key.length > maxKeyBytes) return '';
  return key.includes('\\') ? String(JSON.parse(`"${key}"`)) : key;
}
