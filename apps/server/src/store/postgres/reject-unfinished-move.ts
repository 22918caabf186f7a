import pg from 'pg';
import { UnfinishedMoveError } from '../unfinished-move-error.ts';

const connectTimeoutMs = 5_000;

/** `move_progress` is there from the first row that is moved to the last comparison. */
export async function rejectUnfinishedMove(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT to_regclass('move_progress') IS NOT NULL AS begun`);
    if (rows[0]?.begun === true)
      throw new UnfinishedMoveError(
        'A move into this database has begun and not ended: run parley move again with the same source, or use an empty database.',
      );
  } finally {
    await client.end();
  }
}
