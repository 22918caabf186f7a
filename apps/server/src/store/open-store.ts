import type { Store } from './store.ts';

/**
 * The engine that an operator has chosen. What the other one needs is not loaded. `onLost`: the disk of the embedded one
 * has failed, and the store answers nothing any more.
 */
export async function openStore(
  { databaseFile, postgresUrl }: { readonly databaseFile: string; readonly postgresUrl: string | undefined },
  warn: (details: object, message: string) => void,
  onLost?: (error: Error) => void,
): Promise<Store> {
  if (postgresUrl === undefined) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore({ path: databaseFile, warn, ...(onLost && { onLost }) });
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore({ url: postgresUrl, warn });
}
