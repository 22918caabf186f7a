import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** The network between one process and its database. */
export interface DatabaseLink {
  readonly url: string;
  /** Ends every connection and takes no more. */
  cut(): void;
  /** Keeps every connection, old and new, and lets nothing through. */
  stall(): void;
  /** Works again; connections that were stalled are over. */
  mend(): void;
  close(): void;
}

export async function openDatabaseLink(databaseUrl: string): Promise<DatabaseLink> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket, peer: Socket | null) => {
    sockets.add(socket);
    // Either end may go away at any time: that is what the link is for.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      peer?.destroy();
    });
  };
  const listener = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    if (state === 'stalled') return keep(near.pause(), null);
    const far = connect(Number(port), hostname);
    keep(near, far);
    keep(far, near);
    near.pipe(far);
    far.pipe(near);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    cut() {
      state = 'cut';
      end();
    },
    stall() {
      state = 'stalled';
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend() {
      if (state === 'stalled') end();
      state = 'open';
    },
    close() {
      listener.close();
      end();
    },
  };
}
