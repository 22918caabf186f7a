import type { MessagePart } from '@parley/protocol/event';

/** What is known of a file without its bytes. */
export type FileNote = Extract<MessagePart, { type: 'file' }>;
