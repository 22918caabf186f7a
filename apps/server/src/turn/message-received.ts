import { withoutAddresses } from '../events/file-addresses.ts';
import { newEvent } from '../events/new-event.ts';
import type { MessageBody } from '../session/queue-item.ts';
import type { NewEvent } from '../store/event-store.ts';
import { turnAt } from './context.ts';

/** The event that shows a message to every reader. */
export function messageReceived(
  sequence: number,
  { text, parts, fileIds, clientMessageId }: MessageBody,
): NewEvent {
  return newEvent('message.received', {
    ...turnAt(sequence),
    ...(clientMessageId !== undefined && { clientMessageId }),
    message: text,
    parts: withoutAddresses(parts, fileIds),
  });
}
