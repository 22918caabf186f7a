import { expect } from 'vitest';
import { delta, texts } from '../../store/contract/samples.ts';
import type { StoredEvent } from '../../store/event-store.ts';
import type { Bus, SessionAppended } from '../bus.ts';

function deltas(firstIndex: number, ...messages: string[]): StoredEvent[] {
  return messages.map((text, offset) => ({ ...delta(text), index: firstIndex + offset }));
}

export function appended(sessionId: string, firstIndex: number, ...messages: string[]): SessionAppended {
  return { topic: 'sessionAppended', sessionId, firstIndex, events: deltas(firstIndex, ...messages) };
}

export interface Heard {
  readonly messages: readonly SessionAppended[];
  /** The texts that came along, in the order they came. */
  readonly texts: () => string[];
  readonly stop: () => void;
  /** Resolves when the predicate holds. */
  readonly until: (predicate: (heard: Heard) => boolean) => Promise<void>;
}

/** Collects what a process hears of a session. */
export function hear(bus: Bus, sessionId: string): Heard {
  const messages: SessionAppended[] = [];
  const checks = new Set<() => void>();
  const heard: Heard = {
    messages,
    texts: () => texts(messages.flatMap(({ events }) => events)),
    stop: bus.subscribeSession(sessionId, (message) => {
      messages.push(message);
      for (const check of checks) check();
    }),
    until: (predicate) =>
      new Promise((resolve) => {
        const check = () => {
          if (!predicate(heard)) return;
          checks.delete(check);
          resolve();
        };
        checks.add(check);
        check();
      }),
  };
  return heard;
}

/** Resolves when the process `to` has what `from` published before: messages of one process arrive in order. */
export async function settled(from: Bus, to: Bus): Promise<void> {
  const sessionId = `settled_${Math.random()}`;
  const heard = hear(to, sessionId);
  from.publish(appended(sessionId, 0, 'last'));
  await heard.until(({ messages }) => messages.length > 0);
  heard.stop();
  expect(heard.messages).toHaveLength(1);
}

export function gapOf(bus: Bus): Promise<void> {
  return new Promise((resolve) => {
    const stop = bus.onGap(() => {
      stop();
      resolve();
    });
  });
}
