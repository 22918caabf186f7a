import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bus, BusMessage } from './bus.ts';
import { appended, hear, settled } from './contract/heard.ts';

/** Two processes of one installation. */
export interface BusPair {
  readonly one: Bus;
  readonly other: Bus;
}

/** What every bus must do. `open` gives two processes that nobody else hears. */
export function describeBus(name: string, open: () => Promise<BusPair>): void {
  describe(name, () => {
    let one: Bus;
    let other: Bus;
    beforeEach(async () => {
      ({ one, other } = await open());
    });
    afterEach(() => Promise.all([one.close(), other.close()]));

    test('an append reaches every subscriber of its session once, in order, and nobody else', async () => {
      const here = hear(one, 'session_1');
      const there = [hear(other, 'session_1'), hear(other, 'session_1')];
      const elsewhere = hear(other, 'session_2');
      const words = Array.from({ length: 300 }, (_, index) => `word ${index}`);
      for (const [index, word] of words.entries()) one.publish(appended('session_1', index, word));
      await settled(one, other);
      for (const { texts, messages } of [here, ...there]) {
        expect(texts()).toEqual(words);
        expect(messages.flatMap(({ events }) => events.map(({ index }) => index))).toEqual(
          words.map((_, index) => index),
        );
      }
      expect(elsewhere.messages).toEqual([]);
    });

    test('the publishing process has heard it when publish returns', () => {
      const heard = hear(one, 'session_1');
      const message = appended('session_1', 7, 'hello');
      one.publish(message);
      expect(heard.messages).toEqual([message]);
    });

    test('events keep every character, and what is kept beside them', async () => {
      const heard = hear(other, 'session_1');
      const text = 'tab\tline\nreturn\r\u2028 nul\0 quote" back\\ 😀 half \ud83d';
      const [event] = appended('session_1', 0, text).events;
      const marked = { ...event!, concealed: true, itemId: 'item_1' };
      one.publish({ topic: 'sessionAppended', sessionId: 'session_1', firstIndex: 0, events: [marked] });
      await settled(one, other);
      expect(heard.messages.flatMap(({ events }) => events)).toEqual([marked]);
    });

    test.each([
      ['one event too large to send', ['small', 'x'.repeat(200_000), 'after']],
      ['many events', Array.from({ length: 500 }, (_, index) => `${index} ${'é'.repeat(100)}`)],
      ['no events', []],
    ])('of an append of %s everybody knows where to read on', async (_, messages) => {
      const heard = hear(other, 'session_1');
      one.publish(appended('session_1', 40, ...messages));
      await settled(one, other);
      let next = 40;
      for (const { firstIndex, events } of heard.messages) {
        expect(firstIndex).toBe(next);
        expect(events.map(({ index }) => index)).toEqual(events.map((_, offset) => firstIndex + offset));
        next += events.length;
      }
      expect(heard.texts()).toEqual(messages.slice(0, next - 40));
      if (next < 40 + messages.length || messages.length === 0)
        expect(heard.messages.at(-1)?.events).toEqual([]);
    });

    test('what is published in one task arrives whole, for thousands of sessions', async () => {
      const sessions = Array.from({ length: 3_000 }, (_, index) => `session_${index}`);
      const heard = sessions.map((sessionId) => hear(other, sessionId));
      for (const sessionId of sessions) one.publish(appended(sessionId, 0, 'first', 'second'));
      for (const sessionId of sessions) one.publish(appended(sessionId, 2, 'third'));
      await settled(one, other);
      for (const { messages } of heard) {
        const last = messages.at(-1)!;
        expect(last.firstIndex + Math.max(last.events.length, 1)).toBe(3);
      }
    });

    test('commands, queued sessions, assignments, readings and changes of settings reach every process', async () => {
      const heard: BusMessage[][] = [[], []];
      for (const [index, bus] of [one, other].entries()) {
        bus.subscribe('sessionCommand', (message) => heard[index]!.push(message));
        bus.subscribe('sessionQueued', (message) => heard[index]!.push(message));
        bus.subscribe('sessionAssigned', (message) => heard[index]!.push(message));
        bus.subscribe('turnReading', (message) => heard[index]!.push(message));
        bus.subscribe('threadChanged', (message) => heard[index]!.push(message));
        bus.subscribe('settingsChanged', (message) => heard[index]!.push(message));
      }
      const messages: BusMessage[] = [
        { topic: 'sessionCommand', sessionId: 'session_1', state: 'sent' },
        { topic: 'sessionCommand', sessionId: 'session_1', state: 'finished' },
        { topic: 'sessionQueued', sessionId: 'session_1' },
        { topic: 'sessionAssigned', sessionId: 'session_1', visitor: 'a\tb "c"\n' },
        ...(['read', 'superseded', 'left'] as const).map((state) => ({
          topic: 'turnReading' as const,
          sessionId: 'session_1',
          itemId: 'item_1',
          process: 'process_1',
          state,
        })),
        { topic: 'threadChanged', sessionId: 'session_1' },
        { topic: 'threadChanged', sessionId: 'session_1', removedFrom: 'agent_1' },
        { topic: 'settingsChanged', kind: 'key', id: 'key_1', tenantId: 'tenant_1' },
        { topic: 'settingsChanged', kind: 'agent', id: 'agent_1', tenantId: null },
      ];
      for (const message of messages) one.publish(message);
      await settled(one, other);
      if (one !== other) expect(heard).toEqual([messages, messages]);
      else expect(heard[0]).toEqual(messages);
    });

    test('a subscriber that throws keeps nobody from hearing, and does not reach the publisher', async () => {
      for (const bus of [one, other])
        bus.subscribeSession('session_1', () => {
          throw new Error('failed');
        });
      const heard = [hear(one, 'session_1'), hear(other, 'session_1')];
      one.publish(appended('session_1', 0, 'a'));
      one.publish(appended('session_1', 1, 'b'));
      await settled(one, other);
      for (const { texts } of heard) expect(texts()).toEqual(['a', 'b']);
    });

    test('who has unsubscribed hears nothing more', async () => {
      const [left, stays] = [hear(other, 'session_1'), hear(other, 'session_1')];
      let commands = 0;
      const stop = other.subscribe('sessionCommand', () => (commands += 1));
      one.publish(appended('session_1', 0, 'a'));
      await settled(one, other);
      left.stop();
      stop();
      one.publish(appended('session_1', 1, 'b'));
      one.publish({ topic: 'sessionCommand', sessionId: 'session_1', state: 'sent' });
      await settled(one, other);
      expect([left.texts(), stays.texts(), commands]).toEqual([['a'], ['a', 'b'], 0]);
    });

    test('a closed bus delivers nothing, and publishing to it harms nobody', async () => {
      const heard = hear(one, 'session_1');
      await one.close();
      one.publish(appended('session_1', 0, 'a'));
      other.publish(appended('session_1', 0, 'a'));
      await one.close();
      expect(heard.messages).toEqual([]);
    });
  });
}
