import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Row } from '../query-engine.ts';
import { StoreUnavailableError } from '../store-error.ts';
import type { Tables } from '../tables.ts';
import { isEngineFailure, isOutdatedPlan, unavailable } from './engine-failure.ts';

/** Of one process. Its queries wait for one another beyond them. */
const maxConnections = 10;
const connectTimeoutMs = 5_000;
/** No statement works longer; what waits for a lock gives up with it. */
const statementTimeoutMs = 10_000;
/** From a server that is out of reach, or frozen, no answer is waited for longer. */
const answerTimeoutMs = 12_000;

/** Texts that each connection keeps prepared, as the server does for it; others are parsed each time. */
export const maxPrepared = 2_000;

const int8 = 20;

export interface Database {
  /** Compiles for PostgreSQL; never executed itself. */
  readonly queries: Kysely<Tables>;
  /**
   * One statement, and so one transaction and one round trip, prepared once on each connection: what varies belongs into
   * the values. Rejects with
   * `StoreUnavailableError` when the server could not be reached or could not work: where the connection was lost on
   * the way, the server may have committed all the same.
   */
  readonly query: (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
  readonly run: (query: CompiledQuery) => Promise<readonly Row[]>;
  /** A test's time, or null: then the server's clock counts. */
  readonly now: () => number | null;
  /** Waits for the queries that run; later ones are rejected. */
  close(): Promise<void>;
}

export function openDatabase(url: string, clock: Clock | null): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'parley',
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    // Times, indexes and counts stay far below what a number holds.
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // A connection that is lost while idle is replaced by the next query.
  pool.on('error', () => undefined);
  const names = new Map<string, string>();
  let named = 0;
  const running = new Set<Promise<unknown>>();
  let closed = false;

  function nameOf(text: string): { readonly name?: string } {
    const known = names.get(text);
    if (known !== undefined) return { name: known };
    if (names.size >= maxPrepared) return {};
    const name = `s${named}`;
    named += 1;
    names.set(text, name);
    return { name };
  }

  async function execute(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const statement = { ...nameOf(text), text, values: [...values] };
    try {
      try {
        return (await pool.query<Row>(statement)).rows;
      } catch (error) {
        if (!isOutdatedPlan(error)) throw error;
        // Nothing was executed. Every connection has the same outdated plan under this name.
        if (names.get(text) === statement.name) names.delete(text);
        return (await pool.query<Row>({ text, values: [...values] })).rows;
      }
    } catch (error) {
      throw isEngineFailure(error) ? unavailable(error) : error;
    }
  }

  function query(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (closed) return Promise.reject(new StoreUnavailableError('The store is closed'));
    const result = execute(text, values);
    running.add(result);
    const done = () => void running.delete(result);
    result.then(done, done);
    return result;
  }

  return {
    queries: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    query,
    run: ({ sql, parameters }) => query(sql, parameters),
    now: () => clock?.() ?? null,
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled(running);
      await pool.end();
    },
  };
}
