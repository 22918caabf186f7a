import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TcpProxy {
  /** The address of the server behind it, through the proxy. */
  readonly url: string;
  /** Ends every connection, and takes no more. */
  cut(): void;
  /** Keeps what is open, and lets nothing through any more; new connections work. */
  stall(): void;
  /** Takes the next connection and lets nothing through; resolves once it is there. */
  silenceNext(): Promise<void>;
  /** Takes connections again. */
  mend(): void;
  /** The next request reaches the server, and its answer is lost with the connection. */
  loseNextAnswer(): void;
}

/** Stands between a client and its server, as a network that fails would. */
export async function tcpProxy(serverUrl: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(serverUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let isLosing = false;
  let onSilent: (() => void) | null = null;
  const end = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  const listener = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    const isSilent = onSilent !== null;
    onSilent?.();
    onSilent = null;
    near.on('data', () => {
      if (!isLosing) return;
      isLosing = false;
      far.unpipe().on('data', () => near.destroy());
    });
    for (const [socket, peer] of [pair, [far, near] as const]) {
      if (!isSilent) socket.pipe(peer);
      // Either end may go away at any time: that is what a test asks for.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        peer.destroy();
        pairs.delete(pair);
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    end();
    listener.close();
  });
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    cut() {
      isCut = true;
      end();
    },
    stall() {
      for (const [near, far] of pairs) {
        near.unpipe().pause();
        far.unpipe().pause();
      }
    },
    silenceNext: () => new Promise((resolve) => (onSilent = resolve)),
    mend() {
      isCut = false;
    },
    loseNextAnswer() {
      isLosing = true;
    },
  };
}
