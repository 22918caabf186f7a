import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventDataSchemas, type SessionEvent, sessionEventSchema } from './event.ts';

const directory = new URL('../fixtures/', import.meta.url);
const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'));
const lines = (name: string) => readFileSync(new URL(name, directory), 'utf8').trimEnd().split('\n');
const read = (name: string): SessionEvent[] =>
  lines(name).map((line) => sessionEventSchema.parse(JSON.parse(line)));

test.each(names)('%s holds events as the protocol has them, and nothing else', (name) => {
  for (const line of lines(name))
    expect(sessionEventSchema.parse(JSON.parse(line))).toEqual(JSON.parse(line));
});

test.each(names)('%s is a log: ids are unique and in order, turns and their ends match', (name) => {
  const events = read(name);
  const ids = events.map(({ meta }) => meta.id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)));
  expect(events[0]?.type).toBe('session.started');

  let open: string | null = null;
  let turns = 0;
  for (const event of events) {
    if (event.type === 'turn.started') {
      expect(event.data).toMatchObject({ sequence: turns, turnId: `turn_${turns}` });
      expect(open).toBe(null);
      open = event.data.turnId;
      turns += 1;
    } else if (event.type === 'session.waiting' || event.type === 'session.failed') {
      open = null;
    } else if ('data' in event && 'stepIndex' in event.data && event.type !== 'action.result') {
      expect(event.data.turnId, event.type).toBe(open);
    }
  }
});

test.each(names)('%s: what was said piece by piece is what was said', (name) => {
  let text = '';
  for (const event of read(name)) {
    if (event.type === 'step.started') text = '';
    if (event.type === 'message.appended') {
      text += event.data.messageDelta;
      expect(event.data.messageSoFar ?? text).toBe(text);
    }
    if (event.type === 'message.completed') expect(event.data.message).toBe(text);
  }
});

test('the transcripts show every event but those of integrations', () => {
  const shown = new Set(names.flatMap(read).map(({ type }) => type));
  const absent = [...Object.keys(eventDataSchemas), 'session.completed'].filter(
    (type) => !shown.has(type as never),
  );
  expect(absent).toEqual(['authorization.required', 'authorization.completed']);
});

test('an event without its data, with another type or without id is refused', () => {
  const meta = { at: '2026-11-20T16:06:20.586Z', id: 'evt_01M7WVAWNAQSW0WJ5G3TXA8HK9' };
  const data = { sequence: 0, turnId: 'turn_0' };
  expect(sessionEventSchema.safeParse({ type: 'turn.started', data, meta }).success).toBe(true);
  expect(sessionEventSchema.safeParse({ type: 'turn.started', meta }).success).toBe(false);
  expect(sessionEventSchema.safeParse({ type: 'turn.begun', data, meta }).success).toBe(false);
  expect(sessionEventSchema.safeParse({ type: 'turn.started', data, meta: { at: meta.at } }).success).toBe(
    false,
  );
  expect(sessionEventSchema.safeParse({ type: 'session.completed', meta }).success).toBe(true);
});
