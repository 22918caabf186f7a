import type { Limited, Quota } from './limit-store.ts';

/** Bytes of every chunk but a file's last. A multiple of 3, so that the base64 of chunks is the base64 of the file. */
export const fileChunkBytes = 255 * 1024;

export interface FileRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  /** The identified visitor who uploaded it, or null. */
  readonly visitor: string | null;
  /** The session whose message names it; null until one does. */
  readonly sessionId: string | null;
  readonly mediaType: string;
  readonly filename: string | null;
  readonly size: number;
}

export type NewFile = Omit<FileRecord, 'sessionId' | 'size'>;

/** Files in chunks: each is one small write, and no reader needs more than one at a time. `QueueStore.enqueue` binds a file to a session. */
export interface FileStore {
  /**
   * Opens a file that has no bytes yet. Counts `quotas`; when one is used up nothing is opened. Rejects
   * when the id is taken.
   */
  begin(
    file: NewFile,
    upload: { readonly quotas: readonly Quota[]; readonly ttlMs: number },
  ): Promise<{ outcome: 'begun' } | Limited>;

  /**
   * Adds the next chunk and counts `quotas` with it: both or neither. Rejects a chunk over `fileChunkBytes`, and one
   * after a shorter one. `missing` when there is no such file, it is complete, or it has expired.
   */
  append(
    id: string,
    chunk: Uint8Array,
    upload: { readonly quotas: readonly Quota[] },
  ): Promise<{ outcome: 'appended' } | { outcome: 'missing' } | Limited>;

  /** Ends the bytes. From here on a message may name it, once, for `ttlMs`: until when in Unix milliseconds, or null as `missing` above. */
  complete(id: string, upload: { readonly ttlMs: number }): Promise<number | null>;

  /** A complete file that is bound to a session, or may still be. */
  get(id: string): Promise<FileRecord | null>;

  /** The chunk with this number, counted from 0; null beyond the last. */
  chunk(id: string, number: number): Promise<Uint8Array | null>;

  /** Removes files that no session has: nothing is left of them, in any of the engine's files. */
  discard(ids: readonly string[]): Promise<void>;

  /**
   * Removes every file that no session has and whose time is over, a few chunks in one transaction, and those of
   * sessions that are gone.
   */
  expire(): Promise<void>;
}
