import pg from 'pg';

const waitMs = 5_000;

/** A connection on which nothing is waited for longer than that. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
  });
  // A connection that is lost fails what is asked on it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
