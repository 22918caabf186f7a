/** A database that this version cannot bring to its schema. The message says all that the operator needs. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** Refuses a database with migrations that this version does not know. */
export function rejectNewer(applied: readonly string[], known: readonly string[]): void {
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length === 0) return;
  throw new SchemaError(
    `The database was written by a newer version of Parley: this one does not know ${newer.join(', ')}. Start that version, or restore a backup of before.`,
  );
}

export function failedMigration(cause: unknown): SchemaError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SchemaError(
    `The schema of the database could not be brought up to this version, and is as it was: ${reason}. The version before still starts; report this.`,
    { cause },
  );
}
