import { Client } from 'pg';
import type { Logger } from 'pino';
import type { BusConnection, BusTransport } from './bus-transport.ts';
import { type BusTiming, RemoteBus, busTiming } from './remote-bus.ts';

/** PostgreSQL takes notifications of less than 8,000 bytes. */
const maxPayloadBytes = 7_900;
const connectMs = 5_000;
const queryMs = 5_000;

export interface PostgresBusOptions {
  readonly url: string;
  /** Which processes hear one another: those that use the same database and name. */
  readonly channel: string;
  readonly logger: Logger;
  readonly timing?: BusTiming;
}

/**
 * A bus over LISTEN and NOTIFY, on a connection of its own. A notification is sent after the commit it speaks of, never
 * within: a transaction that notifies holds a lock of the whole server until it is on disk.
 */
export async function openPostgresBus({
  url,
  channel,
  logger,
  timing = busTiming,
}: PostgresBusOptions): Promise<RemoteBus> {
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
  const client = new Client({
    connectionString: url,
    application_name: 'parley bus',
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
  });
  const lost = new Promise<unknown>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('The connection to the database ended.')));
  });
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  const close = () => void client.end().catch(() => undefined);
  try {
    await client.connect();
    // What a notification speaks of is on disk already.
    await client.query('SET synchronous_commit = off');
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    close();
    throw error;
  }
  return {
    lost,
    close,
    async send(payloads) {
      await client.query({
        name: 'notify',
        text: 'SELECT count(pg_notify($1, payload)) FROM unnest($2::text[]) AS payload',
        values: [channel, payloads],
      });
    },
  };
}
