import type { Logger } from 'pino';
import type { BusConnection } from './bus-transport.ts';
import { type BusTiming, RemoteBus, busTiming } from './remote-bus.ts';

export interface RemoteBusOptions {
  readonly url: string;
  /** Which processes hear one another: those that use the same server, or database of PostgreSQL, and name. */
  readonly channel: string;
  readonly logger: Logger;
  readonly timing?: BusTiming;
}

type Connect = (url: string, channel: string, onPayload: (payload: string) => void) => Promise<BusConnection>;

/** Opens a bus whose connections are made by `connect`. */
export async function openRemoteBus(
  connect: Connect,
  maxPayloadBytes: number,
  { url, channel, logger, timing = busTiming }: RemoteBusOptions,
): Promise<RemoteBus> {
  const transport = {
    maxPayloadBytes,
    connect: (onPayload: (payload: string) => void) => connect(url, channel, onPayload),
  };
  const bus = new RemoteBus(transport, logger, timing);
  await bus.open();
  return bus;
}
