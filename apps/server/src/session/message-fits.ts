import { maxEventBytes } from '@parley/protocol/bounds';
import type { MessageBody } from './item.ts';

/** The rest of `message.received`: its turn. */
const otherBytes = 256;

/**
 * Whether the log can take the message as an event. Text and parts repeat each other there, and what has to be escaped
 * counts up to six times: a message can be too large although each of its fields is within bounds.
 */
export function messageFits({ text, parts }: MessageBody): boolean {
  return Buffer.byteLength(JSON.stringify({ message: text, parts })) + otherBytes <= maxEventBytes;
}
