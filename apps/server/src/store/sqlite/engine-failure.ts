import { StoreUnavailableError } from '../store-error.ts';

// Primary result codes of SQLite: what stands in the way is outside the statement that met it.
const outside = new Set([
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  26, // NOTADB
]);
const failedSync = new Set([10 | (4 << 8), 10 | (5 << 8)]);

function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : null;
}

/** True when SQLite could not work at all, false when one statement was wrong. */
export function isEngineFailure(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && outside.has(code & 0xff);
}

/** After a failed fsync nobody knows what reached the disk. */
export function isFailedSync(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && failedSync.has(code);
}

export function unavailable(cause: unknown): StoreUnavailableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailableError(`The database cannot be written: ${reason}`, { cause });
}
