import { join } from 'node:path';
import { createTestDatabase } from './test-database.ts';

/**
 * The environment of a service whose store is empty: a file in this folder, or with `TEST_STORE=postgres` a PostgreSQL
 * database that is dropped once `onFinished` calls back.
 */
export async function storeEnvironment(
  folder: string,
  onFinished: (drop: () => Promise<void>) => void,
): Promise<Record<string, string>> {
  if (process.env['TEST_STORE'] !== 'postgres') return { DATABASE_URL: `file:${join(folder, 'test.db')}` };
  const database = await createTestDatabase();
  onFinished(() => database.drop());
  return { DATABASE_URL: database.url, ADMIN_TOKEN: 'a'.repeat(48), SECRET_KEY_BASE: 's'.repeat(48) };
}
