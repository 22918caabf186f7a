import { fork } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';

const program = join(import.meta.dirname, '../../apps/server/src/testing/postgres-main.ts');

export interface PostgresDatabase {
  readonly url: string;
  /** Past every link, as somebody who only looks. */
  query<Row extends object>(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/**
 * An empty PostgreSQL database on a server of its own, or on the one that `TEST_DATABASE_URL` names. With `fsync` its
 * commits outlive a power cut, as everywhere but in a test.
 */
export async function openPostgresDatabase({ fsync = false } = {}): Promise<PostgresDatabase> {
  const server = fork(program, fsync ? ['--fsync'] : [], { execArgv: [] });
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const serverUrl = await new Promise<string>((resolve, reject) => {
    server.once('message', (message: { url: string }) => resolve(message.url));
    server.once('exit', (code) => reject(new Error(`The database server ended with ${code}.`)));
  });
  const name = `e2e_${Date.now()}`;
  const administrator = new pg.Client({ connectionString: serverUrl });
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: name }).href;
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // One that is lost while idle is replaced by the next query.
  pool.on('error', () => undefined);
  return {
    url,
    async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
      return (await pool.query<Row>(statement, [...values])).rows;
    },
    async close() {
      await pool.end();
      await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await administrator.end();
      server.disconnect();
      await gone;
    },
  };
}
