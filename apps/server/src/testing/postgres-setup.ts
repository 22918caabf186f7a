import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of a PostgreSQL server, which the first to ask starts. */
    postgresStarter: string;
  }
}

/** A PostgreSQL server for all tests of a run that ask for one, and none for a run without such a test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | null = null;
  const starter = createServer((_request, response) => {
    started ??= startPostgresServer();
    started.then(
      ({ url }) => response.end(url),
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
