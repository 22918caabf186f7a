import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionStatus } from '@parley/protocol/settings/status';
import type { Logger } from '../log.ts';
import { addressNetwork } from './address.ts';
import type { ServerTimeouts } from './server-timeouts.ts';

interface ConnectionLimits {
  readonly maxConnections: number;
  /** Infinity behind a proxy, where every connection comes from the proxy's address. */
  readonly maxConnectionsPerAddress: number;
}

/** How much of what was written its client has taken, and since when it has taken no more. */
interface Progress {
  taken: number;
  inFlight: number;
  since: number;
  timedOut: boolean;
}

const logIntervalMs = 60_000;

/** The open connections of this process: bounded in all and by address, counted, and cut when they take nothing. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #writeMs: number;
  readonly #checkMs: number;
  readonly #logger: Logger;
  readonly #open = new Map<Socket, Progress>();
  readonly #byAddress = new Map<string, number>();
  #accepted = 0;
  #dropped = 0;
  #timedOut = 0;
  #stuck = 0;
  #loggedAt = -logIntervalMs;
  #logged = 0;

  constructor(
    limits: ConnectionLimits,
    { writeMs, checkMs }: Pick<ServerTimeouts, 'writeMs' | 'checkMs'>,
    logger: Logger,
  ) {
    this.#limits = limits;
    this.#writeMs = writeMs;
    this.#checkMs = checkMs;
    this.#logger = logger;
  }

  /** Counts and bounds the connections of the server from here on. */
  watch(server: Server): void {
    server.maxConnections = this.#limits.maxConnections;
    server.on('drop', () => void (this.#dropped += 1));
    // Before the HTTP parser gets the socket.
    server.prependListener('connection', (socket: Socket) => this.#admit(socket));
    const check = setInterval(() => this.#check(performance.now()), this.#checkMs).unref();
    server.once('close', () => clearInterval(check));
  }

  /** A client did not send its request in time. */
  countTimeout(socket: Socket): void {
    const progress = this.#open.get(socket);
    if (!progress || progress.timedOut) return;
    progress.timedOut = true;
    this.#timedOut += 1;
  }

  status(): ConnectionStatus {
    return {
      open: this.#open.size,
      accepted: this.#accepted,
      dropped: this.#dropped,
      timedOut: this.#timedOut,
      stuck: this.#stuck,
    };
  }

  #admit(socket: Socket): void {
    const address = addressNetwork(socket.remoteAddress ?? '');
    const others = this.#byAddress.get(address) ?? 0;
    if (others >= this.#limits.maxConnectionsPerAddress) {
      this.#dropped += 1;
      socket.resetAndDestroy();
      return;
    }
    this.#accepted += 1;
    this.#byAddress.set(address, others + 1);
    this.#open.set(socket, { taken: -1, inFlight: 0, since: 0, timedOut: false });
    socket.once('close', () => {
      this.#open.delete(socket);
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    });
  }

  #check(now: number): void {
    for (const [socket, progress] of this.#open) {
      if (socket.writableLength === 0) {
        progress.taken = -1;
        continue;
      }
      const taken = socket.bytesWritten - socket.writableLength;
      const inFlight = bytesInFlight(socket);
      if (taken !== progress.taken || inFlight !== progress.inFlight) {
        Object.assign(progress, { taken, inFlight, since: now });
      } else if (now - progress.since >= this.#writeMs) {
        this.#stuck += 1;
        // A reset frees what the kernel holds for the client, too.
        socket.resetAndDestroy();
      }
    }
    this.#warn(now);
  }

  #warn(now: number): void {
    const ended = this.#dropped + this.#stuck;
    if (ended === this.#logged || now - this.#loggedAt < logIntervalMs) return;
    this.#logged = ended;
    this.#loggedAt = now;
    this.#logger.warn(
      { connections: this.status(), ...this.#limits },
      'Connections over the limit were dropped, or cut because their clients took nothing.',
    );
  }
}

/** What the kernel has not taken of the write under way: one large write makes progress before it is done. */
function bytesInFlight(socket: Socket): number {
  // Node measures the same for its own socket timeouts and has no public name for it.
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null || !('writeQueueSize' in handle)) return 0;
  return Number(handle.writeQueueSize);
}
