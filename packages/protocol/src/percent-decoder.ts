import { joinBytes } from './join-bytes.ts';

const percent = 0x25;

/** The value of a hexadecimal digit; 255 for any other byte. */
const hexValues = new Uint8Array(256).fill(255);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Decodes `%XX` piece by piece. A percent sign that begins no such triple stays as it is. */
export class PercentDecoder {
  /** A percent sign, and perhaps a digit, at the end of the last piece. */
  #open = new Uint8Array();

  push(piece: Uint8Array): Uint8Array {
    const text = this.#open.length === 0 ? piece : joinBytes([this.#open, piece]);
    const bytes = new Uint8Array(text.length);
    let size = 0;
    let index = 0;
    while (index < text.length) {
      const byte = text[index] ?? 0;
      if (byte === percent) {
        const high = hexValues[text[index + 1] ?? 0] ?? 255;
        const low = hexValues[text[index + 2] ?? 0] ?? 255;
        const isCut = index + 1 >= text.length || (high < 16 && index + 2 >= text.length);
        if (isCut) break;
        if (high < 16 && low < 16) {
          bytes[size] = high * 16 + low;
          size += 1;
          index += 3;
          continue;
        }
      }
      bytes[size] = byte;
      size += 1;
      index += 1;
    }
    this.#open = text.slice(index);
    return bytes.subarray(0, size);
  }

  /** The percent sign, and perhaps a digit, that the last piece ended with. */
  end(): Uint8Array {
    return this.#open;
  }
}
