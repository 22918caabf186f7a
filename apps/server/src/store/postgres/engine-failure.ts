import { StoreUnavailableError } from '../store-error.ts';

// Classes of SQLSTATE: what stands in the way is outside the statement that met it.
const outsideClasses = new Set([
  '08', // connection exceptions
  '28', // the password was changed
  '53', // disk full, out of memory, too many connections
  '57', // cancelled by a timeout, shutting down
  '58', // input and output
  'XX', // internal, corrupted
]);
const outsideCodes = new Set([
  '25006', // read-only: a standby, or a primary that became one
  '25P03', // a transaction idle for too long
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // a lock was not granted in time
  '3D000', // no such database any more
]);

/** True when PostgreSQL could not work or be reached at all, false when one statement was wrong. */
export function isEngineFailure(error: unknown): boolean {
  const code = sqlState(error);
  if (code === null) return true;
  return outsideCodes.has(code) || outsideClasses.has(code.slice(0, 2));
}

/** True when a table has got a column since its rows were first read: a later version has migrated the database meanwhile. */
export function isOutdatedPlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && Object(error).routine === 'RevalidateCachedQuery';
}

/** Null for what did not come from the server: a connection that was refused, lost or too slow. */
function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : null;
}

export function unavailable(cause: unknown): StoreUnavailableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailableError(`The database cannot be reached or written: ${reason}`, { cause });
}
