import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { maxInlineFileBytes, maxJsonDepth, maxMessageParts } from '@parley/protocol/bounds';
import type { InlineFile } from '@parley/protocol/inline-file';
import type { BodyBounds } from '@parley/protocol/body-bounds';
import { type BodyPlace, itemPlace, memberPlace, replaceFiles } from './body-place.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { FileText } from './file-text.ts';
import { JsonScanner } from './json-scanner.ts';
import { ProblemError } from '../problem.ts';

const scratchBytes = 16 * 1_024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

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
 * Reads a JSON body while it comes in: counts its bytes, depth and values, decodes the content of file parts, and
 * keeps the rest for `JSON.parse`. Of `messages` only the last entry is kept. A body over a bound is refused at the
 * chunk that goes over it.
 */
export class BodyScanner extends JsonScanner {
  readonly #bounds: BodyBounds;
  /** From the first chunk on that ends within a character; most bodies have none, and it costs more than they do. */
  #utf8: InstanceType<typeof TextDecoder> | null = null;
  readonly #kept = new ByteBuffer();
  /** Index in the chunk from which on bytes are kept; null within the content of a file. */
  #keepFrom: number | null = 0;

  /** Of the value that comes next, and of the containers that are open. */
  #place: BodyPlace = 'root';
  readonly #places: { readonly place: BodyPlace; readonly isObject: boolean }[] = [];

  #values = 0;
  /** Bytes of file content. */
  #fileBytes = 0;
  /** Bytes of `messages`, and those of its last entry. */
  #messagesBytes = 0;
  #lastEntryBytes = 0;
  #messagesStart: number | null = null;
  #entryStart: EntryStart | null = null;

  #text: FileInProgress | null = null;
  /** One for all texts that may be files. */
  #scratch: Buffer | null = null;
  readonly #files: InlineFile[] = [];
  /** Stands for a file in the kept JSON. Random, so that no body can bring it along. */
  #token = '';

  constructor(bounds: BodyBounds) {
    super();
    this.#bounds = bounds;
  }

  /** Whether nothing but white space came in. */
  get isEmpty(): boolean {
    return this.#values === 0;
  }

  /** Bytes of file content so far. */
  get fileBytes(): number {
    const open = this.#text?.file.kind === 'content' ? this.before - this.#text.start : 0;
    return this.#fileBytes + open;
  }

  push(chunk: Uint8Array): void {
    if (this.#utf8 !== null || !isUtf8(chunk)) {
      const decoder = (this.#utf8 ??= new TextDecoder('utf-8', { fatal: true }));
      decoded(() => decoder.decode(chunk, { stream: true }));
    }
    if (this.#keepFrom !== null) this.#keepFrom = 0;
    this.scan(chunk);
    if (this.#keepFrom !== null) this.#kept.append(chunk.subarray(this.#keepFrom));
    this.#check(this.before);
  }

  /** The parsed body, with an `InlineFile` where the content of a file stood. */
  end(): unknown {
    decoded(() => this.#utf8?.decode());
    if (!this.endScan()) throw notJson();
    const body: unknown = decoded(() => JSON.parse(utf8.decode(this.#kept.read())));
    const { length } = this.#token;
    if (this.#files.length > 0) {
      replaceFiles(body, (text) =>
        text.startsWith(this.#token) ? this.#files[Number(text.slice(length))] : text,
      );
    }
    return body;
  }

  protected onValue(index: number): void {
    const container = this.#places.at(-1);
    if (container && !container.isObject) this.#place = itemPlace(container.place);
    if (this.#place === 'entry' && this.#messagesStart !== null) this.#startEntry(index);
    this.#values += 1;
    this.#checkCounts(index);
  }

  protected onOpen(isObject: boolean, index: number): void {
    if (this.depth === maxJsonDepth) {
      this.#check(this.before + index);
      throw new ProblemError('BAD_REQUEST', `The body is nested deeper than ${maxJsonDepth} levels.`);
    }
    this.#places.push({ isObject, place: this.#place });
    const isMessages = this.#place === 'messages' && !isObject && this.#bounds.messagesBytes > 0;
    if (isMessages) this.#messagesStart = this.#jsonBytes(this.before + index + 1);
  }

  protected onClose(index: number): void {
    const closed = this.#places.pop();
    if (closed?.place !== 'messages' || this.#messagesStart === null) return;
    const now = this.#jsonBytes(this.before + index);
    this.#messagesBytes += now - this.#messagesStart;
    this.#lastEntryBytes += this.#entryStart ? now - this.#entryStart.bytes : 0;
    this.#messagesStart = null;
    this.#entryStart = null;
    this.#checkCounts(index);
  }

  protected onNext(index: number): void {
    if (this.#places.at(-1)?.place === 'messages' && this.#entryStart !== null)
      this.#dropEntry(this.#entryStart, index);
  }

  protected onKey(key: string): void {
    this.#place = memberPlace(this.#places.at(-1)?.place ?? 'other', key);
  }

  protected onStringStart(index: number): void {
    // A message with more parts is refused or dropped anyway: its other texts are not read as files.
    const isRead = this.#bounds.message && this.#files.length <= maxMessageParts;
    if (this.#place !== 'file' || !isRead) return;
    this.#keep(index);
    this.#text = {
      file: new FileText((this.#scratch ??= Buffer.allocUnsafeSlow(scratchBytes))),
      start: this.before + index + 1,
      kept: this.#kept.length,
    };
  }

  protected onCharacters(text: Uint8Array): void {
    this.#text?.file.push(text);
    this.#decide();
  }

  protected onUnit(unit: number): void {
    this.#text?.file.pushUnit(unit);
    this.#decide();
  }

  protected onStringEnd(index: number): void {
    if (this.#text === null) return;
    this.#token ||= randomUUID();
    const file = this.#text.file.end();
    this.#decide();
    this.#fileBytes += this.before + index - this.#text.start;
    this.#text = null;
    this.#files.push(file);
    this.#kept.append(Buffer.from(`"${this.#token}${this.#files.length - 1}"`));
    this.#keepFrom = index + 1;
    this.#checkCounts(index);
  }

  protected onFault(index: number): never {
    this.#check(this.before + index);
    throw notJson();
  }

  #startEntry(index: number): void {
    this.#keep(index);
    this.#entryStart = {
      kept: this.#kept.length,
      files: this.#files.length,
      values: this.#values,
      bytes: this.#jsonBytes(this.before + index),
    };
  }

  /** Another entry follows: a 0 stands for this one. */
  #dropEntry({ kept, files, values }: EntryStart, index: number): void {
    this.#kept.truncate(kept);
    this.#kept.append(Buffer.from('0'));
    this.#keepFrom = index;
    this.#files.length = files;
    this.#values = values + 1;
    this.#entryStart = null;
  }

  /** Takes the text out of what is kept once it is known to be the content of a file. */
  #decide(): void {
    const kind = this.#text?.file.kind;
    if (kind === 'address') this.#text = null;
    if (kind !== 'content' || !this.#text || this.#keepFrom === null) return;
    this.#kept.truncate(this.#text.kept);
    this.#keepFrom = null;
  }

  #keep(to: number): void {
    if (this.#keepFrom === null) return;
    this.#kept.append(this.chunk.subarray(this.#keepFrom, to));
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
    // An entry of `messages` counts when it is the last.
    if (this.#entryStart !== null) return;
    const { values } = this.#bounds;
    if (this.#values <= values && this.#files.length <= maxMessageParts) return;
    this.#check(this.before + index);
    const counted =
      this.#values > values
        ? `A JSON body has at most ${values} values.`
        : `A message has at most ${maxMessageParts} parts.`;
    throw new ProblemError('BAD_REQUEST', counted);
  }
}

function decoded<Value>(decode: () => Value): Value {
  try {
    return decode();
  } catch {
    throw notJson();
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
