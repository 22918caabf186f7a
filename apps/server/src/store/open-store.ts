import type { Store } from './store.ts';

/** The engine that an operator has chosen. What the other one needs is not loaded. */
export async function openStore(
  { databaseFile, postgresUrl }: { readonly databaseFile: string; readonly postgresUrl: string | undefined },
  warn: (details: object, message: string) => void,
): Promise<Store> {
  if (postgresUrl === undefined) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore({ path: databaseFile, warn });
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore({ url: postgresUrl, warn });
}
