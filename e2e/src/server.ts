import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ampleLimits } from './ample-limits.ts';

export interface RunningServer {
  url: string;
  adminToken: string;
  /** Where the first member of the console comes in; null when there is one. */
  setupLink: string | null;
  /** The process's id. */
  pid: number | undefined;
  /** One call of the settings API; throws unless it succeeds. */
  settings: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Sends a message to a program that answers messages, and resolves with its answer. */
  ask: <Answer>(message: object) => Promise<Answer>;
  /** The process is gone, however it ended: its exit code, or null after a signal. */
  exited: Promise<number | null>;
  /** SIGKILL: the database stays, `startServer({ directory })` goes on with it. */
  kill: () => Promise<void>;
  /** SIGTERM, and the database is removed if `startServer` made its directory. Rejects when it could not stop in order. */
  stop: () => Promise<void>;
}

interface ServerOptions {
  /** Where the database lives; by default a temporary directory of its own. */
  directory?: string;
  environment?: Record<string, string>;
  /** The program; the chaos tests start one that fails on purpose. */
  program?: string;
}

const root = join(import.meta.dirname, '../..');
const main = join(root, 'apps/server/src/main.ts');
/** With the options of Node that `pnpm serve` has. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { serve: string };
};
const execArgv = [
  ...scripts.serve.split(' ').filter((argument) => /^--(?!import)/.test(argument)),
  `--import=${pathToFileURL(join(root, 'apps/server/src/testing/end-with-parent.ts')).href}`,
];
const adminToken = 'the-admin-token-of-the-e2e-tests';

/** The real server as a process of its own, on a free port, once it is ready. */
export async function startServer({
  directory,
  environment,
  program = main,
}: ServerOptions = {}): Promise<RunningServer> {
  const home = directory ?? (await mkdtemp(join(tmpdir(), 'parley-e2e-')));
  const child = fork(program, {
    execArgv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      DATABASE_URL: `file:${join(home, 'parley.db')}`,
      ADMIN_TOKEN: adminToken,
      LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };

  const { url, setupLink } = await new Promise<Pick<RunningServer, 'url' | 'setupLink'>>(
    (resolve, reject) => {
      child.once('message', (message: RunningServer) => resolve(message));
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
    },
  );

  return {
    url,
    adminToken,
    setupLink,
    pid: child.pid,
    exited,
    ask: <Answer>(message: object) =>
      new Promise<Answer>((resolve) => {
        child.once('message', (answer) => resolve(answer as Answer));
        child.send(message);
      }),
    async settings<Answer>(method: string, path: string, body?: unknown) {
      const response = await fetch(`${url}/api/v1/settings${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}\n${output}`);
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      if (child.exitCode === 1) throw new Error(`The server could not stop in order:\n${output}`);
      if (directory === undefined) await rm(home, { recursive: true });
    },
  };
}

export interface TestAgent {
  tenantId: string;
  agentId: string;
  secretKey: string;
  publishableKey: string;
}

/** A tenant with one agent that follows the script, and both of its keys. */
export async function createAgent(
  { settings }: Pick<RunningServer, 'settings'>,
  script: readonly unknown[],
  agent: Record<string, unknown> = {},
): Promise<TestAgent> {
  const { id: tenantId } = await settings<{ id: string }>('POST', '/tenants', { name: 'Test' });
  const { id: agentId } = await settings<{ id: string }>('POST', '/agents', {
    tenantId,
    name: 'Ada',
    model: { provider: 'scripted', script },
    limits: ampleLimits,
    ...agent,
  });
  const keyOf = async (kind: 'secret' | 'publishable') =>
    (await settings<{ key: string }>('POST', '/keys', { tenantId, agentId, kind })).key;
  return { tenantId, agentId, secretKey: await keyOf('secret'), publishableKey: await keyOf('publishable') };
}
