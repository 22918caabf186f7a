import { createClient } from '@redis/client';
import type { BusConnection } from './bus-transport.ts';
import { type RemoteBusOptions, openRemoteBus } from './open-remote-bus.ts';
import type { RemoteBus } from './remote-bus.ts';

/** Small enough to be a short task for whoever receives it. */
const maxPayloadBytes = 64 * 1024;
/** Until it hears the others: a server may take a connection and say nothing on it. */
const connectMs = 5_000;

/** A bus over the publish and subscribe of Redis or Valkey, on one connection (RESP3). */
export function openRedisBus(options: RemoteBusOptions): Promise<RemoteBus> {
  return openRemoteBus(connect, maxPayloadBytes, options);
}

async function connect(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
): Promise<BusConnection> {
  const client = createClient({
    url,
    RESP: 3,
    name: 'parley-bus',
    disableOfflineQueue: true,
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
  const lost = new Promise<unknown>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('The connection to Redis ended.')));
  });
  const late = setTimeout(() => client.destroy(), connectMs);
  try {
    await client.connect();
    await client.subscribe(channel, onPayload);
  } catch (error) {
    client.destroy();
    throw new Error('REDIS_URL: no Redis answers there.', { cause: error });
  } finally {
    clearTimeout(late);
  }
  return {
    lost,
    close: () => client.destroy(),
    async send(payloads) {
      await Promise.all(payloads.map((payload) => client.publish(channel, payload)));
    },
  };
}
