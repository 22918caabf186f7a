import { Client } from 'pg';
import type { BusConnection } from './bus-transport.ts';
import { type RemoteBusOptions, openRemoteBus } from './open-remote-bus.ts';
import type { RemoteBus } from './remote-bus.ts';

/** PostgreSQL takes notifications of less than 8,000 bytes. */
const maxPayloadBytes = 7_900;
const connectMs = 5_000;
const queryMs = 5_000;

/**
 * A bus over LISTEN and NOTIFY, on a connection of its own. A notification is sent after the commit it speaks of, never
 * within: a transaction that notifies holds a lock of the whole server until it is on disk.
 */
export function openPostgresBus(options: RemoteBusOptions): Promise<RemoteBus> {
  return openRemoteBus(connect, maxPayloadBytes, options);
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
