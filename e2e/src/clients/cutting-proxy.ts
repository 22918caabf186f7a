import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** How many connections it has cut. */
  cuts: () => number;
  close: () => void;
}

/**
 * A TCP proxy that cuts each connection after so many bytes of stream, `bytesUntilCut` saying how many; whatever
 * comes before the stream is asked for passes.
 */
export async function openCuttingProxy(target: string, bytesUntilCut: () => number): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let left = Number.POSITIVE_INFINITY;
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', close).on('close', close);
    }
    client.on('data', (chunk) => {
      if (/\/stream|x-ndjson/.test(String(chunk))) left = bytesUntilCut();
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      const passing = chunk.subarray(0, left);
      left -= passing.length;
      if (left > 0) return void client.write(passing);
      cuts += 1;
      client.write(passing, close);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
