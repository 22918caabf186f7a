import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PostgresServer } from './postgres-server.ts';

const program = join(import.meta.dirname, 'postgres-main.ts');

/** A server that a process of its own runs: what runs it hooks into the exit of its process, and would have failed tests end with 0. */
export async function forkPostgresServer(): Promise<PostgresServer> {
  const child = fork(program, { execArgv: [] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { url: string }) => resolve(message.url));
    child.once('exit', (code) => reject(new Error(`The database server ended with ${code}.`)));
  });
  return {
    url,
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
