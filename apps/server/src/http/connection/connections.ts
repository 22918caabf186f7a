import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionStatus } from '@parley/protocol/settings/status';
import type { Logger } from '../../logger.ts';
import { addressNetwork } from '../../limit/address.ts';
import type { ServerTimeouts } from './server-timeouts.ts';

interface ConnectionLimits {
  readonly maxConnections: number;
  /** Infinity behind a proxy, where every connection comes from the proxy's address. */
  readonly maxConnectionsPerAddress: number;
}

/** Bytes that a client had sent and taken at the last change, and the times of those changes (`performance.now()`). */
interface Progress {
  /** The response to the latest request, as long as either is under way. */
  latest?: ServerResponse;
  received: number;
  receivedAt: number;
  taken: number;
  inFlight: number;
  takenAt: number;
  timedOut: boolean;
}

const logIntervalMs = 60_000;

/** The open connections of this process: bounded in all and by address, counted, and cut when nothing moves. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #timeouts: ServerTimeouts;
  readonly #logger: Logger;
  readonly #open = new Map<Socket, Progress>();
  readonly #byAddress = new Map<string, number>();
  #accepted = 0;
  #dropped = 0;
  #timedOut = 0;
  #stuck = 0;
  #loggedAt = -logIntervalMs;
  #logged = 0;

  constructor(limits: ConnectionLimits, timeouts: ServerTimeouts, logger: Logger) {
    this.#limits = limits;
    this.#timeouts = timeouts;
    this.#logger = logger;
  }

  /** Counts and bounds the connections of the server from here on. */
  watch(server: Server): void {
    server.maxConnections = this.#limits.maxConnections;
    server.on('drop', () => void (this.#dropped += 1));
    // Before the HTTP parser gets the socket.
    server.prependListener('connection', (socket: Socket) => this.#admit(socket));
    server.on('request', (request, response) => {
      const progress = this.#open.get(request.socket);
      if (progress) progress.latest = response;
    });
    const check = () => this.#check(performance.now(), server);
    const timer = setInterval(check, this.#timeouts.checkMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** The response to the latest request of the connection, unless both are over. */
  latest(socket: Socket): ServerResponse | undefined {
    return this.#open.get(socket)?.latest;
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
    this.#open.set(socket, {
      received: -1,
      receivedAt: 0,
      taken: -1,
      inFlight: 0,
      takenAt: 0,
      timedOut: false,
    });
    socket.once('close', () => {
      this.#open.delete(socket);
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    });
  }

  #check(now: number, server: Server): void {
    for (const [socket, progress] of this.#open) {
      if (this.#takesNothing(socket, progress, now)) {
        this.#stuck += 1;
        // A reset frees what the kernel holds for the client, too.
        socket.resetAndDestroy();
      } else if (this.#sendsNothing(socket, progress, now)) {
        // As Node does when a whole request is late.
        const late = Object.assign(new Error('A body was late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        server.emit('clientError', late, socket);
      }
    }
    this.#warn(now);
  }

  #takesNothing(socket: Socket, progress: Progress, now: number): boolean {
    if (socket.writableLength === 0) {
      progress.taken = -1;
      return false;
    }
    const taken = socket.bytesWritten - socket.writableLength;
    const inFlight = bytesInFlight(socket);
    if (taken !== progress.taken || inFlight !== progress.inFlight) {
      Object.assign(progress, { taken, inFlight, takenAt: now });
      return false;
    }
    return now - progress.takenAt >= this.#timeouts.writeMs;
  }

  #sendsNothing(socket: Socket, progress: Progress, now: number): boolean {
    const { latest } = progress;
    if (!latest || latest.req.complete) {
      progress.received = -1;
      if (latest?.writableFinished) delete progress.latest;
      return false;
    }
    // Bytes that come in after the response is finished are no progress.
    const received = latest.writableFinished ? 0 : socket.bytesRead;
    if (received !== progress.received) {
      Object.assign(progress, { received, receivedAt: now });
      return false;
    }
    return now - progress.receivedAt >= this.#timeouts.bodyMs;
  }

  #warn(now: number): void {
    const ended = this.#dropped + this.#stuck;
    if (ended === this.#logged || now - this.#loggedAt < logIntervalMs) return;
    this.#logged = ended;
    this.#loggedAt = now;
    this.#logger.warn(
      { connections: this.status(), ...this.#limits },
      'Connections were dropped over the limit, or cut because their clients took nothing. Behind a proxy set TRUST_PROXY.',
    );
  }
}

/** Bytes of the write under way that the kernel has not taken: one large write makes progress before it is done. */
function bytesInFlight(socket: Socket): number {
  // Node measures the same for its own socket timeouts and has no public name for it.
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null || !('writeQueueSize' in handle)) return 0;
  return Number(handle.writeQueueSize);
}
