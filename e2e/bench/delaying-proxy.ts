import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback that hands every byte on `delayMs` after it came, each way, in order. */
export async function openDelayingProxy(target: string, delayMs: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), new URL(target).hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('data', (chunk) => setTimeout(() => other.write(chunk), delayMs));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        setTimeout(() => other.destroy(), delayMs);
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
