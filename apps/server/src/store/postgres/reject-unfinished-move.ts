import pg from 'pg';
import { UnfinishedMoveError } from '../unfinished-move-error.ts';
import { isEngineFailure, unavailable } from './engine-failure.ts';

const connectTimeoutMs = 5_000;
/** A server that is frozen lets in, and answers nothing. */
const answerTimeoutMs = 5_000;

/**
 * `move_progress` is there from the first row that is moved to the last comparison. Rejects with `StoreUnavailableError`
 * when the server could not be reached or could not work.
 */
export async function rejectUnfinishedMove(url: string): Promise<void> {
  if (await isMoving(url))
    throw new UnfinishedMoveError(
      'A move into this database has begun and not ended: run parley move again with the same source, or use an empty database.',
    );
}

async function isMoving(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  // A connection that is lost fails what is asked on it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT to_regclass('move_progress') IS NOT NULL AS begun`);
    return rows[0]?.begun === true;
  } catch (error) {
    throw isEngineFailure(error) ? unavailable(error) : error;
  } finally {
    await client.end();
  }
}
