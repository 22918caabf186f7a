import { createClient } from '@redis/client';
import type { Logger } from 'pino';
import type { BusConnection, BusTransport } from './bus-transport.ts';
import { type BusTiming, RemoteBus, busTiming } from './remote-bus.ts';

/** Small enough to be a short task for whoever receives it. */
const maxPayloadBytes = 64 * 1024;
const connectMs = 5_000;

export interface RedisBusOptions {
  readonly url: string;
  /** Which processes hear one another: those that use the same server and name, whatever the number of its database. */
  readonly channel: string;
  readonly logger: Logger;
  readonly timing?: BusTiming;
}

/** A bus over the publish and subscribe of Redis or Valkey, on one connection (RESP3). */
export async function openRedisBus({
  url,
  channel,
  logger,
  timing = busTiming,
}: RedisBusOptions): Promise<RemoteBus> {
  const transport: BusTransport = {
    maxPayloadBytes,
    connect: (onPayload) => connect(url, channel, onPayload),
  };
  const bus = new RemoteBus(transport, logger, timing);
  await bus.open();
  return bus;
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
  try {
    await client.connect();
    await client.subscribe(channel, onPayload);
  } catch (error) {
    client.destroy();
    throw new Error('REDIS_URL: no Redis answers there.', { cause: error });
  }
  return {
    lost,
    close: () => client.destroy(),
    async send(payloads) {
      await Promise.all(payloads.map((payload) => client.publish(channel, payload)));
    },
  };
}
