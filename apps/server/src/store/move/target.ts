import pg from 'pg';
import { isEngineFailure, unavailable } from '../postgres/engine-failure.ts';
import { StoreUnavailableError } from '../store-error.ts';
import { MoveError } from './move-error.ts';

const connectTimeoutMs = 5_000;
/** What another move into the same database, or one that was just killed, is waited for. */
const lockTimeoutMs = 15_000;
/** Of one page. */
const statementTimeoutMs = 120_000;

const int8 = 20;
const lockNotAvailable = '55P03';

/**
 * One connection, which holds the target against other moves for as long as it is open. It rejects with
 * `StoreUnavailableError` when the server could not be reached or could not work.
 */
export async function connectTarget(url: string): Promise<pg.Client> {
  const target = new pg.Client({
    connectionString: url,
    application_name: 'parley move',
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
    // As the source reads them.
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // A connection that is lost fails the next query.
  target.on('error', () => undefined);
  // oxlint-disable-next-line typescript/unbound-method -- it is applied to the client
  target.query = new Proxy(target.query, {
    async apply(query, client, given) {
      try {
        return await Reflect.apply(query, client, given);
      } catch (error) {
        throw isEngineFailure(error) ? unavailable(error) : error;
      }
    },
  });
  try {
    await target.connect();
    await target.query(`SELECT pg_advisory_lock(hashtextextended('move database', 0))`);
    return target;
  } catch (error) {
    await target.end();
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    if (cause instanceof Error && 'code' in cause && cause.code === lockNotAvailable)
      throw new MoveError('Another move into the target is under way.', { cause });
    throw isEngineFailure(cause) ? unavailable(cause) : cause;
  }
}

/** Rejects a database with a row in it. A schema may be there. */
export async function rejectUsedTarget(target: pg.ClientBase): Promise<void> {
  const { rows: tables } = await target.query<{ name: string }>(`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = current_schema() AND tablename NOT LIKE 'kysely_%' ORDER BY tablename`);
  for (const { name } of tables) {
    const { rowCount } = await target.query(`SELECT 1 FROM ${pg.escapeIdentifier(name)} LIMIT 1`);
    if (rowCount !== 0)
      throw new MoveError(
        `The target is not empty: its table ${name} has rows. Move into an empty database.`,
      );
  }
}
