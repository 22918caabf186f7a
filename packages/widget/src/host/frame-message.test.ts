import { expect, test } from 'vitest';
import { isFrameMessage } from './frame-message.ts';

test('nothing but the messages of the channel is taken for one', () => {
  for (const message of [
    { type: 'ready' },
    { type: 'open' },
    { type: 'close' },
    { type: 'size', height: 512.5 },
    { type: 'unread', count: 0 },
  ])
    expect(isFrameMessage(message)).toBe(true);
  for (const other of [
    null,
    'close',
    {},
    { type: 'navigate' },
    { type: 'size' },
    { type: 'size', height: '512' },
    { type: 'size', height: Number.POSITIVE_INFINITY },
    { type: 'unread', count: -1 },
  ])
    expect(isFrameMessage(other)).toBe(false);
});
