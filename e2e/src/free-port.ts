import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports of outgoing connections, one of which would take it while nobody listens there. */
const ports = [20_000, 32_000] as const;

/** A port that nobody listens on, for a program that has to be told one, or comes back where it was. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = randomInt(...ports);
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  server.close();
  await once(server, 'close');
  return port;
}
