import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../server.ts';

/** Where visitors find the service. */
export interface Reachable {
  /** A process that serves, as soon as there is one. */
  current(): Promise<RunningServer>;
}

/** The service through its deaths: one database, one process after another. */
export interface RestartableService extends Reachable {
  readonly directory: string;
  start(crash?: { program: string; environment: Record<string, string> }): Promise<RunningServer>;
  /** The process that serves dies, or has died; returns when it is gone. */
  kill(): Promise<void>;
  /** Waits for the process to kill itself; throws when it ends in another way. */
  died(): Promise<void>;
  /** Ends everything and removes the database. */
  close: () => Promise<void>;
}

export async function createRestartableService(
  environment: Record<string, string>,
): Promise<RestartableService> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-crash-'));
  let serving = Promise.withResolvers<RunningServer>();
  let running: RunningServer | null = null;

  function gone(): void {
    if (running === null) return;
    running = null;
    serving = Promise.withResolvers();
  }

  return {
    directory,
    current: () => serving.promise,
    async start(crash) {
      const server = await startServer({
        directory,
        environment: { ...environment, ...crash?.environment },
        ...(crash && { program: crash.program }),
      });
      running = server;
      void server.exited.then(() => {
        if (running === server) gone();
      });
      serving.resolve(server);
      return server;
    },
    async kill() {
      const server = running;
      gone();
      await server?.kill();
    },
    async died() {
      const code = await running?.exited;
      if (typeof code === 'number') throw new Error(`The service ended by itself, with ${code}.`);
    },
    async close() {
      await running?.kill();
      await rm(directory, { recursive: true });
    },
  };
}
