import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../testing/free-port.ts';

/** The reference server of the protocol, in a process of its own. */
export async function startEverythingServer(): Promise<{ host: string; url: string; stop(): void }> {
  const main = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
  const port = await freePort();
  const child = spawn(process.execPath, [main, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.includes('listening on port')) resolve();
  });
  child.once('exit', () => reject(new Error(`It has ended: ${said}`)));
  await promise;
  const host = `127.0.0.1:${port}`;
  return { host, url: `http://${host}/mcp`, stop: () => void child.kill('SIGKILL') };
}
