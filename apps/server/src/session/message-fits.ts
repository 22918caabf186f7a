import { maxEventBytes } from '@parley/protocol/bounds';
import type { MessageBody } from './queue-item.ts';

/** The rest of `message.received`: its turn, and what makes a text a part. */
const otherBytes = 256;
/** Kept free for a text that comes to stand before the message: answers that came too late. */
const leastBefore = 1_000;

/**
 * Whether the log can take the message as an event. Text and parts repeat each other there, and what has to be escaped
 * counts up to six times: a message can be too large although each of its fields is within bounds.
 */
export function messageFits(message: MessageBody): boolean {
  return roomBefore(message) >= leastBefore;
}

/** Bytes, as JSON, of a text that may stand before the message: the event holds it twice, too. */
export function roomBefore(message: MessageBody | null): number {
  const { text = '', parts = [] } = message ?? {};
  const bytes = Buffer.byteLength(JSON.stringify({ message: text, parts }));
  return Math.max(Math.floor((maxEventBytes - otherBytes - bytes) / 2), 0);
}
