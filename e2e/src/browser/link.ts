import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way from the browser to a service, which can be cut. A browser that is set offline lets what is open go on. */
export interface Link {
  url: string;
  /** What is opened from now on goes to the service at this address. */
  leadTo(service: string): void;
  close(): void;
}

const open = new Set<Socket>();
let isClosed = false;

export async function openLink(): Promise<Link> {
  let port = 0;
  const server = createServer((near) => {
    if (isClosed) return void near.destroy();
    const far = connect(port, 'localhost');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.setNoDelay();
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    leadTo(service) {
      port = Number(new URL(service).port);
    },
    close() {
      server.close();
      cutLinks();
    },
  };
}

/** Breaks off whatever is open. */
export function cutLinks(): void {
  for (const socket of open) socket.destroy();
}

/** Breaks off whatever is open, and lets nobody through until what it returns is called. */
export function closeLinks(): () => void {
  isClosed = true;
  cutLinks();
  return () => {
    isClosed = false;
  };
}
