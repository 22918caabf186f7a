const values = new Uint8Array(256).fill(255);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;

const padding = 0x3d;
const whiteSpace = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20]);

/** Decodes base64 piece by piece. ASCII white space is skipped, and the padding may be missing. */
export class Base64Decoder {
  #digits = 0;
  /** The digits that do not make three bytes yet. */
  #bits = 0;
  #paddings = 0;

  /** The bytes that are complete; null when the text is not base64. */
  push(text: Uint8Array): Uint8Array | null {
    const bytes = new Uint8Array(Math.ceil(text.length / 4) * 3);
    let size = 0;
    let bits = this.#bits;
    let digits = this.#digits;
    // An index instead of an iterator: files have millions of digits.
    for (let index = 0; index < text.length; index += 1) {
      const byte = text[index] ?? 0;
      const value = values[byte] ?? 255;
      if (value < 64 && this.#paddings === 0) {
        bits = (bits << 6) | value;
        digits += 1;
        if (digits % 4 === 0) {
          bytes[size] = bits >> 16;
          bytes[size + 1] = (bits >> 8) & 255;
          bytes[size + 2] = bits & 255;
          size += 3;
          bits = 0;
        }
      } else if (byte === padding && this.#paddings < 2) this.#paddings += 1;
      else if (!whiteSpace.has(byte)) return null;
    }
    this.#bits = bits;
    this.#digits = digits;
    return bytes.subarray(0, size);
  }

  /** The last bytes; null when a digit is left over. */
  end(): Uint8Array | null {
    const bits = this.#bits;
    const left = this.#digits % 4;
    if (left === 1) return null;
    if (left === 2) return Uint8Array.of(bits >> 4);
    return left === 3 ? Uint8Array.of(bits >> 10, (bits >> 2) & 255) : new Uint8Array();
  }
}
