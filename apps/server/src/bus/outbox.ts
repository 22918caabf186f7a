import type { BusMessage } from './bus.ts';
import { encodeLines, encodeNotice, gapLine } from './message-line.ts';

/** Above this much waiting, appends are announced without their events. */
const inlineUntilBytes = 256 * 1024;
const maxWaitingBytes = 1024 * 1024;
const maxPayloadsPerSend = 32;

/** What waits to be sent. When more comes in than goes out, all that waits becomes one gap. */
export class Outbox {
  readonly #sender: string;
  readonly #maxPayloadBytes: number;
  #lines: { readonly line: string; readonly bytes: number }[] = [];
  #bytes = 0;

  /** Every payload begins with a line that says who `sender` is. */
  constructor(sender: string, maxPayloadBytes: number) {
    this.#sender = sender;
    this.#maxPayloadBytes = maxPayloadBytes;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  add(message: BusMessage): void {
    const withoutEvents = message.topic === 'sessionAppended' && this.#bytes > inlineUntilBytes;
    const lines = withoutEvents ? [encodeNotice(message)] : encodeLines(message, this.#roomPerPayload());
    for (const line of lines) this.addLine(line);
  }

  addLine(line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    this.#lines.push({ line, bytes });
    this.#bytes += bytes;
    if (this.#bytes > maxWaitingBytes) this.replaceByGap();
  }

  /** Forgets what waits, and says instead that something was lost. */
  replaceByGap(): void {
    this.#lines = [];
    this.#bytes = 0;
    this.addLine(gapLine);
  }

  /** Takes out the payloads of one send. */
  take(): string[] {
    const payloads: string[] = [];
    let payload = this.#sender;
    let room = this.#roomPerPayload();
    let taken = 0;
    for (const { line, bytes } of this.#lines) {
      if (bytes > room) {
        payloads.push(payload);
        if (payloads.length === maxPayloadsPerSend) break;
        payload = this.#sender;
        room = this.#roomPerPayload();
      }
      payload += `\n${line}`;
      room -= bytes;
      taken += 1;
      this.#bytes -= bytes;
    }
    if (payloads.length < maxPayloadsPerSend) payloads.push(payload);
    this.#lines = this.#lines.slice(taken);
    return payloads;
  }

  #roomPerPayload(): number {
    return this.#maxPayloadBytes - Buffer.byteLength(this.#sender);
  }
}
