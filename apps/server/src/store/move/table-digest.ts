import { createHash } from 'node:crypto';
import type { MovedRow } from './source-pages.ts';

/** Counts rows and digests their values in order: the same of the same values, whichever engine they are read from. */
export class TableDigest {
  readonly #hash = createHash('sha256');
  rows = 0;

  add(row: MovedRow): void {
    this.rows += 1;
    for (const value of row) {
      const bytes = encode(value);
      // The kind and length first, so that no two rows are the same bytes.
      this.#hash.update(`${value === null ? 'null' : typeof value} ${bytes.length} `);
      this.#hash.update(bytes);
    }
    this.#hash.update('\n');
  }

  /** Of everything added so far; nothing can be added after it. */
  end(): string {
    return this.#hash.digest('hex');
  }
}

function encode(value: MovedRow[number]): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return Buffer.from(value === null ? '' : String(value));
}
