import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of a PostgreSQL server, which the first to ask starts; at `/database` with that of a new database on it. */
    postgresStarter: string;
  }
}

/** A PostgreSQL server for all tests of a run that ask for one, and none for a run without such a test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | null = null;
  const databases: string[] = [];
  const createDatabase = async (server: string) => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    databases.push(name);
    await execute(server, `CREATE DATABASE ${name}`);
    return Object.assign(new URL(server), { pathname: name }).href;
  };
  const starter = createServer((request, response) => {
    started ??= startPostgresServer();
    const answer = started.then(({ url }) => (request.url === '/database' ? createDatabase(url) : url));
    answer.then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(starter, 'listening');
  project.provide('postgresStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  return async () => {
    starter.closeAllConnections();
    starter.close();
    const server = await started?.catch(() => null);
    for (const name of databases)
      if (server) await execute(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server?.stop();
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
