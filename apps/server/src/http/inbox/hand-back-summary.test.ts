import { expect, test } from 'vitest';
import type { StoredEvent } from '../../store/event-store.ts';
import { messageReceived } from '../../turn/message-received.ts';
import { handBackSummary } from './hand-back-summary.ts';

const said = (index: number): StoredEvent => ({
  ...messageReceived(index, { text: `No. ${index}`, parts: [], fileIds: [] }),
  index,
});

function logOf(length: number) {
  const log = Array.from({ length }, (_, index) => said(index));
  let read = 0;
  return {
    read: () => read,
    async readEvents(_sessionId: string, from: number, limit: number) {
      const events = log.slice(from, from + limit);
      read += events.length;
      const next = from + events.length;
      return { events, next: next < length ? next : null };
    },
  };
}

test('however long a conversation is held, its end is read and said to be one', async () => {
  const log = logOf(9_000);
  const summary = await handBackSummary(log, { id: 'session', nextIndex: 9_000 }, 10);
  expect(summary).toMatch(/^…[^…]*\nVisitor: No\. 8999$/);
  expect(log.read()).toBeLessThanOrEqual(2_000);
});

test('all that was written since a conversation was taken over is read where that is little', async () => {
  const log = logOf(20);
  const summary = await handBackSummary(log, { id: 'session', nextIndex: 20 }, 18);
  expect(summary).toBe('Visitor: No. 18\nVisitor: No. 19');
  expect(log.read()).toBe(2);
});
