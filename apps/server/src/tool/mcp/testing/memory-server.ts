import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { freePort } from '../../../testing/free-port.ts';
import { request } from '../../../testing/test-service.ts';

const startMs = 30_000;

/** A server of others that keeps what it is told in a file, behind a proxy of others that serves it over HTTP. */
export async function startMemoryServer(
  file: string,
  { isModern }: { readonly isModern: boolean },
): Promise<{ readonly host: string; readonly url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const revision = isModern ? '--modern' : '--no-modern';
  const proxy = fileURLToPath(import.meta.resolve('mcp-proxy/dist/bin/mcp-proxy.mjs'));
  const place = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'];
  const memory = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
  const child = spawn(process.execPath, [proxy, ...place, revision, '--', process.execPath, memory], {
    env: { ...process.env, MEMORY_FILE_PATH: file },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const tooEarly = ended.then(() => Promise.reject(new Error(`It has ended: ${said}`)));
  const host = `127.0.0.1:${port}`;
  // It says that it has started before it listens.
  const listens = vi.waitFor(() => request(`http://${host}/ping`), { timeout: startMs });
  await Promise.race([listens, tooEarly]);
  tooEarly.catch(() => undefined);
  return {
    host,
    url: `http://${host}/mcp`,
    // It ends the server behind it, which would outlive one that is killed.
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
