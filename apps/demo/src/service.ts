import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Service {
  /** Where it answers. */
  url: string;
  adminToken: string;
  /** Where the first member of the console comes in; null when there is one. */
  setupLink: string | null;
  /** Resolves when the process is gone, with why. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../../..');
/** What `pnpm serve` runs, with its options of Node. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { serve: string };
};

/**
 * Starts the service in a process of its own; resolves once it listens.
 * Detached, so that Ctrl+C reaches it once: a second signal makes it stop without finishing its work.
 */
export async function startService(environment: Record<string, string>): Promise<Service> {
  const child = spawn(process.execPath, scripts.serve.split(' ').slice(1), {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  });
  const stopWithParent = () => child.kill('SIGTERM');
  process.once('exit', stopWithParent);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      process.off('exit', stopWithParent);
      resolve(signal ?? `exit code ${code}`);
    });
  });
  const { url, adminToken, setupLink } = await ready(child, ended);
  return {
    url,
    adminToken,
    setupLink,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

type Ready = Pick<Service, 'url' | 'adminToken' | 'setupLink'>;

function ready(child: ChildProcess, ended: Promise<string>): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready));
    child.once('error', reject);
    void ended.then((why) =>
      reject(new Error(`The service did not start (${why}); what it said stands above.`)),
    );
  });
}
