/** Bytes that are appended piece by piece, and cut off again. */
export class ByteBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  truncate(length: number): void {
    this.#length = length;
  }

  read(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
