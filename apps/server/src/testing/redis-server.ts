import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from './free-port.ts';
import { installPackage } from './install-package.ts';

export interface RedisServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * A Redis or Valkey for a test file: the one that `TEST_REDIS_URL` names, else an installed one, started for this file;
 * on Debian it is installed when it is missing and the tests run as root.
 */
export async function startRedis(): Promise<RedisServer> {
  const { TEST_REDIS_URL } = process.env;
  if (TEST_REDIS_URL) return { url: TEST_REDIS_URL, stop: async () => undefined };
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', daemonize: 'no' };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(findServer() ?? installServer(), flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await ready(server.stdout);
  return { url: `redis://127.0.0.1:${port}`, stop: () => stop(server) };
}

function findServer(): string | undefined {
  return ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);
}

function installServer(): string {
  installPackage('redis-server');
  const installed = findServer();
  if (!installed) throw new Error('redis-server was installed and is not found.');
  return installed;
}

async function ready(output: Readable): Promise<void> {
  for await (const line of createInterface(output)) if (line.includes('Ready to accept connections')) return;
  throw new Error('Redis for the tests did not start.');
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill();
  await once(server, 'exit');
}
