import { expect, test } from 'vitest';
import { appended } from './contract/heard.ts';
import { decodeLine, encodeLines } from './message-line.ts';

test('a line is as long as it may be at most, and as few as possible are made', () => {
  const message = appended('session_1', 98, ...Array.from({ length: 50 }, (_, index) => 'é'.repeat(index)));
  const lines = encodeLines(message, 2_000);
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThan(2_000);
  expect(lines.length).toBeLessThan(10);
  const decoded = lines.map((line) => decodeLine(line, () => true));
  const events = decoded.flatMap((line) => (line?.topic === 'sessionAppended' ? line.events : []));
  expect(events).toEqual(message.events);
});

test('what nobody here wants is not parsed', () => {
  expect(decodeLine('sessionAppended\tsession_1\t0\t[not JSON', () => false)).toBeNull();
});

test('what a later version says is passed over', () => {
  expect(decodeLine('weather\train', () => true)).toBeNull();
  expect(decodeLine('turnReading\tsession_1\titem_1\tprocess_1\tliked', () => true)).toBeNull();
  expect(decodeLine('settingsChanged\tplugin\tplugin_1\ttenant_1', () => true)).toBeNull();
});

test('a conversation that changed is one that was removed only where that is said', () => {
  const changed = { topic: 'threadChanged', sessionId: 'session_1' } as const;
  // As the version before says it, and as this one does.
  for (const line of ['threadChanged\tsession_1', ...encodeLines(changed, 2_000)])
    expect(decodeLine(line, () => true)).toStrictEqual(changed);
});
