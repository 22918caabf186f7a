import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TooLargeError } from '../egress/read-text.ts';

/**
 * A connection that ends with a `TooLargeError` once the far side has sent more than `maxBytes`. Not a `Socket`: TLS reads
 * one of those past everything that listens to it.
 */
export class CappedSocket extends Duplex {
  readonly #socket: Socket;
  #left: number;

  constructor(socket: Socket, maxBytes: number) {
    super();
    this.#socket = socket;
    this.#left = maxBytes;
    socket
      .on('data', (chunk) => this.#receive(chunk))
      .on('end', () => this.push(null))
      .on('timeout', () => this.emit('timeout'))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy());
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  #receive(chunk: Buffer): void {
    this.#left -= chunk.length;
    if (this.#left < 0) this.destroy(new TooLargeError());
    else if (!this.push(chunk)) this.#socket.pause();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A client tells a certificate that it does not trust from a connection that broke off by which of them comes first.
    if (this.#socket.closed) done(error);
    else this.#socket.once('close', () => done(error)).destroy();
  }
}
