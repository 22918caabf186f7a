/** Bytes of file content, as it is sent, that the requests of this process hold at once. */
export const maxHeldFileBytes = 128 * 1024 * 1024;

let held = 0;

/** Counts what one request holds. */
export class FileBudget {
  #own = 0;

  /** False when all requests together would hold too much. */
  grow(size: number): boolean {
    const more = size - this.#own;
    if (more > 0 && held + more > maxHeldFileBytes) return false;
    held += more;
    this.#own = size;
    return true;
  }

  release(): void {
    held -= this.#own;
    this.#own = 0;
  }
}
