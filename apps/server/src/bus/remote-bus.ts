import { randomUUID } from 'node:crypto';
import { setImmediate as nextImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type {
  BroadcastTopic,
  Bus,
  BusMessage,
  MessageOf,
  SessionAppended,
  Subscriber,
  Unsubscribe,
} from './bus.ts';
import type { BusConnection, BusTransport } from './bus-transport.ts';
import { LocalBus } from './local-bus.ts';
import { decodeLine, pingLine } from './message-line.ts';
import { Outbox } from './outbox.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/** The next send waits for this long after one began: at 1,000 appends a second, one each, every process would wake as often. */
const sendIntervalMs = 3;
const closeMs = 1_000;

export interface BusTiming {
  /** How long to wait for the first connection. */
  readonly openMs: number;
  /** How long after a probe the next one is sent, on average. */
  readonly pingMs: number;
  /** How long a probe may take to come back before the connection is replaced. */
  readonly pongMs: number;
}

export const busTiming: BusTiming = { openMs: 5_000, pingMs: 5_000, pongMs: 5_000 };

/** A bus between processes. What is published here is delivered here at once, and skipped when it comes back. */
export class RemoteBus implements Bus {
  readonly #transport: BusTransport;
  readonly #logger: Logger;
  readonly #timing: BusTiming;
  readonly #id = randomUUID();
  readonly #local: LocalBus;
  readonly #outbox: Outbox;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #firstPong = Promise.withResolvers<void>();
  #connection: BusConnection | null = null;
  #connected = false;
  #flushing: Promise<void> | null = null;
  /** Told of each own payload that comes back. */
  #onPong: () => void = () => undefined;

  constructor(transport: BusTransport, logger: Logger, timing: BusTiming) {
    this.#transport = transport;
    this.#logger = logger;
    this.#timing = timing;
    this.#local = new LocalBus((err) => logger.error({ err }, 'a subscriber of the bus failed'));
    this.#outbox = new Outbox(this.#id, transport.maxPayloadBytes);
    this.#running = this.#run();
  }

  /** Resolves when other processes can be reached, or have been waited for long enough: without them this one can serve, too. */
  async open(): Promise<void> {
    await Promise.race([this.#firstPong.promise, sleep(this.#timing.openMs, undefined, { ref: false })]);
  }

  get connected(): boolean {
    return this.#connected;
  }

  publish(message: BusMessage): void {
    this.#local.publish(message);
    if (!this.#connection) return this.#outbox.replaceByGap();
    this.#outbox.add(message);
    this.#flush();
  }

  subscribeSession(sessionId: string, subscriber: Subscriber<SessionAppended>): Unsubscribe {
    return this.#local.subscribeSession(sessionId, subscriber);
  }

  subscribe<Topic extends BroadcastTopic>(
    topic: Topic,
    subscriber: Subscriber<MessageOf<Topic>>,
  ): Unsubscribe {
    return this.#local.subscribe(topic, subscriber);
  }

  onGap(subscriber: () => void): Unsubscribe {
    return this.#local.onGap(subscriber);
  }

  async close(): Promise<void> {
    await Promise.race([this.#flushing, sleep(closeMs, undefined, { ref: false })]);
    await this.#local.close();
    this.#closing.abort();
    // A connection that is only being made closes itself as soon as it is there.
    await Promise.race([this.#running, sleep(closeMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await this.#useConnection(() => (failures = 0));
      } catch (err) {
        if (signal.aborted) return;
        this.#logger.warn({ err }, 'the bus is not connected to other processes; trying again');
      }
      await sleep(reconnectDelayMs(failures, Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Rejects when the connection is over, or there is none. */
  async #useConnection(onUsable: () => void): Promise<void> {
    const connection = await this.#transport.connect((payload) => this.#receive(payload));
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    try {
      signal.throwIfAborted();
      this.#connection = connection;
      if (!this.#outbox.isEmpty) this.#outbox.replaceByGap();
      const lost = async () => {
        throw await connection.lost;
      };
      const probe = async () => {
        await this.#ping(signal);
        this.#connected = true;
        this.#firstPong.resolve();
        onUsable();
        this.#local.announceGap();
        for (;;) {
          await sleep(this.#timing.pingMs * (0.75 + Math.random() / 2), undefined, { signal });
          await this.#ping(signal);
        }
      };
      await Promise.race([probe(), lost()]);
    } finally {
      this.#connected = false;
      this.#connection = null;
      over.abort();
      connection.close();
    }
  }

  /** Rejects when what this process sends does not come back: the connection is dead, or does not hear the others. */
  async #ping(signal: AbortSignal): Promise<void> {
    const pong = new Promise<void>((resolve) => (this.#onPong = resolve));
    this.#outbox.addLine(pingLine);
    this.#flush();
    const answered = new AbortController();
    const late = async () => {
      const { pongMs } = this.#timing;
      await sleep(pongMs, undefined, { signal: AbortSignal.any([signal, answered.signal]) });
      throw new Error(`Nothing came back through the bus within ${pongMs} ms.`);
    };
    await Promise.race([pong, late()]).finally(() => answered.abort());
  }

  #flush(): void {
    this.#flushing ??= this.#send();
  }

  /** Sends what waits, one send after the other: what comes up meanwhile goes together with the next. */
  async #send(): Promise<void> {
    await nextImmediate();
    const connection = this.#connection;
    try {
      while (connection && connection === this.#connection && !this.#outbox.isEmpty)
        await Promise.all([connection.send(this.#outbox.take()), sleep(sendIntervalMs)]);
    } catch (err) {
      this.#logger.warn({ err }, 'the bus could not send');
      this.#outbox.replaceByGap();
      connection?.close();
    } finally {
      this.#flushing = null;
    }
    // Another connection is there by now, and what waits is for it.
    if (this.#connection !== connection && this.#connection && !this.#outbox.isEmpty) this.#flush();
  }

  #receive(payload: string): void {
    const [sender, ...lines] = payload.split('\n');
    if (sender === this.#id) return this.#onPong();
    for (const line of lines) {
      try {
        const message = decodeLine(line, (sessionId) => this.#local.hasSubscriber(sessionId));
        if (message?.topic === 'gap') this.#local.announceGap();
        else if (message) this.#local.publish(message);
      } catch (err) {
        this.#logger.error({ err }, 'a message of the bus could not be read');
      }
    }
  }
}
