import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measurement } from './measured-main.ts';

export interface MeasuredService {
  readonly url: string;
  readonly adminToken: string;
  readonly process: ChildProcess;
  measure(): Promise<Measurement>;
  /** Collects garbage, measures, and begins to watch the event loop anew. */
  reset(): Promise<Measurement>;
  /** SIGKILL; the database stays. */
  kill(): Promise<void>;
}

/** The whole service as a process of its own that says what it holds. */
export async function measuredService(env: Record<string, string>): Promise<MeasuredService> {
  const { NODE_ENV: _, ...inherited } = process.env;
  const child = fork(join(import.meta.dirname, 'measured-main.ts'), {
    execArgv: ['--expose-gc'],
    env: {
      ...inherited,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The service ended with ${code ?? signal}.`);
  });
  exited.catch(() => undefined);
  const said = async <T>(): Promise<T> => {
    const [message] = await Promise.race([once(child, 'message'), exited]);
    return message as T;
  };
  const ask = (type: 'measure' | 'reset'): Promise<Measurement> => {
    child.send({ type });
    return said();
  };
  const { url, adminToken } = await said<{ url: string; adminToken: string }>();
  return {
    url,
    adminToken,
    process: child,
    measure: () => ask('measure'),
    reset: () => ask('reset'),
    async kill() {
      child.kill('SIGKILL');
      await exited.catch(() => undefined);
    },
  };
}
