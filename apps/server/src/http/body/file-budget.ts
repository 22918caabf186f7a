import type { IncomingMessage } from 'node:http';

/** Bytes of file content, as it is sent, that the requests of this process hold at once. */
export const maxHeldFileBytes = 128 * 1024 * 1024;
/** Those of one client address: two of the largest requests. Nobody takes the room of everybody else. */
export const maxHeldPerAddress = maxHeldFileBytes / 4;

let held = 0;
const heldBy = new Map<string, number>();
const budgets = new WeakMap<IncomingMessage, FileBudget>();

/** Counts what one request holds. */
export class FileBudget {
  readonly #address: string;
  #own = 0;

  constructor(request: IncomingMessage, address: string) {
    this.#address = address;
    budgets.set(request, this);
  }

  /** False when the requests of the address, or all together, would hold too much. */
  grow(size: number): boolean {
    const more = size - this.#own;
    if (more <= 0) return true;
    const ofAddress = (heldBy.get(this.#address) ?? 0) + more;
    if (held + more > maxHeldFileBytes || ofAddress > maxHeldPerAddress) return false;
    held += more;
    heldBy.set(this.#address, ofAddress);
    this.#own = size;
    return true;
  }

  release(): void {
    const left = (heldBy.get(this.#address) ?? 0) - this.#own;
    if (left > 0) heldBy.set(this.#address, left);
    else heldBy.delete(this.#address);
    held -= this.#own;
    this.#own = 0;
  }
}

/** The files of the request are stored: its response may take as long as a turn. */
export function releaseFiles(request: IncomingMessage): void {
  budgets.get(request)?.release();
}
