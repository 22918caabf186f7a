const percent = 0x25;
const isHex = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/** Decodes `%XX` piece by piece. A percent sign that begins no such triple stays as it is. */
export class PercentDecoder {
  /** A percent sign, and perhaps a digit, at the end of the last piece. */
  #open: number[] = [];

  push(text: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.#open.length + text.length);
    let size = 0;
    for (let index = 0; index < text.length; index += 1) {
      const byte = text[index] ?? 0;
      if (this.#open.length > 0 && isHex(byte)) {
        this.#open.push(byte);
        if (this.#open.length < 3) continue;
        bytes[size] = Number.parseInt(String.fromCharCode(...this.#open.slice(1)), 16);
        size += 1;
        this.#open = [];
        continue;
      }
      for (const open of this.end()) {
        bytes[size] = open;
        size += 1;
      }
      if (byte === percent) this.#open = [byte];
      else {
        bytes[size] = byte;
        size += 1;
      }
    }
    return bytes.subarray(0, size);
  }

  /** What was left open. */
  end(): Uint8Array {
    const open = this.#open;
    if (open.length > 0) this.#open = [];
    return Uint8Array.from(open);
  }
}
