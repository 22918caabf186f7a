import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { forkPostgresServer } from './fork-postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the `SharedServer`, which the first to ask starts; at `/database` with the address of a new database on it. */
    postgresStarter: string;
  }
}

export interface SharedServer {
  readonly url: string;
  /** The name of a database without a row whose schema is up to date. */
  readonly template: string;
  /** Of the names of all databases that the run makes, which are removed at its end. */
  readonly prefix: string;
}

interface StartedServer {
  readonly shared: SharedServer;
  readonly createDatabase: () => Promise<string>;
  stop(): Promise<void>;
}

/** A PostgreSQL server for all tests of a run that ask for one, and none for a run without such a test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<StartedServer> | null = null;
  const starter = createServer((request, response) => {
    started ??= start();
    const answer = started.then(({ shared, createDatabase }) =>
      request.url === '/database' ? createDatabase() : JSON.stringify(shared),
    );
    answer.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(starter, 'listening');
  project.provide('postgresStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  return async () => {
    starter.closeAllConnections();
    starter.close();
    await (await started?.catch(() => null))?.stop();
  };
}

async function start(): Promise<StartedServer> {
  const server = await forkPostgresServer();
  const prefix = `test_${randomBytes(4).toString('hex')}_`;
  const template = `${prefix}template`;
  const addressOf = (name: string) => Object.assign(new URL(server.url), { pathname: name }).href;
  const execute = async <Row extends object>(statement: string): Promise<readonly Row[]> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<Row>(statement).finally(() => client.end());
    return rows;
  };
  await execute(`CREATE DATABASE ${template}`);
  const store = await openPostgresStore({ url: addressOf(template) });
  await store.close();
  return {
    shared: { url: server.url, template, prefix },
    async createDatabase() {
      const name = `${prefix}${randomBytes(8).toString('hex')}`;
      await execute(`CREATE DATABASE ${name}`);
      return addressOf(name);
    },
    async stop() {
      const databases = await execute<{ name: string }>(
        `SELECT datname AS name FROM pg_database WHERE starts_with(datname, '${prefix}')`,
      );
      for (const { name } of databases) await execute(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.stop();
    },
  };
}
