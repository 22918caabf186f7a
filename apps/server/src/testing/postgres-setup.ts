import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the `SharedServer`, which the first to ask starts. */
    postgresStarter: string;
  }
}

export interface SharedServer {
  readonly url: string;
  /** The name of a database without a row whose schema is up to date. */
  readonly template: string;
}

/** A PostgreSQL server for all tests of a run that ask for one, and none for a run without such a test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: ReturnType<typeof start> | null = null;
  const starter = createServer((_request, response) => {
    started ??= start();
    started.then(
      ({ shared }) => response.end(JSON.stringify(shared)),
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

async function start(): Promise<{ readonly shared: SharedServer; stop(): Promise<void> }> {
  const server = await startPostgresServer();
  const template = `template_${randomBytes(8).toString('hex')}`;
  const execute = async (statement: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await execute(`CREATE DATABASE ${template}`);
  const store = await openPostgresStore({
    url: Object.assign(new URL(server.url), { pathname: template }).href,
  });
  await store.close();
  return {
    shared: { url: server.url, template },
    async stop() {
      await execute(`DROP DATABASE ${template}`);
      await server.stop();
    },
  };
}
