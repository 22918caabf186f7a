import type { EventDataByType, SessionEvent } from '@parley/protocol/event';

export const meta = { at: '2026-11-20T16:06:20.586Z', id: 'evt_01M7WVAWNAQSW0WJ5G3TXA8HK9' };

export function event<T extends keyof EventDataByType>(type: T, data: EventDataByType[T]): SessionEvent {
  return { type, data, meta } as SessionEvent;
}

export const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
export const step = (sequence: number, stepIndex = 0) => ({ ...turn(sequence), stepIndex });
export const waiting = event('session.waiting', { wait: 'next-user-message', continuationToken: 'parley:1' });
export const completed: SessionEvent = { type: 'session.completed', meta };

export const begin = (sequence: number, message?: string): SessionEvent[] => [
  event('turn.started', turn(sequence)),
  ...(message === undefined
    ? []
    : [event('message.received', { ...turn(sequence), message, parts: [{ type: 'text', text: message }] })]),
];

/** One model step that says these words. */
export const say = (sequence: number, stepIndex: number, ...words: string[]): SessionEvent[] => [
  event('step.started', step(sequence, stepIndex)),
  ...words.map((messageDelta) => event('message.appended', { ...step(sequence, stepIndex), messageDelta })),
  event('message.completed', { ...step(sequence, stepIndex), message: words.join(''), finishReason: 'stop' }),
  event('step.completed', { ...step(sequence, stepIndex), finishReason: 'stop' }),
];

export const finish = (sequence: number): SessionEvent[] => [
  event('turn.completed', turn(sequence)),
  waiting,
];

export const toLines = (events: readonly SessionEvent[]): string =>
  events.map((each) => `${JSON.stringify(each)}\n`).join('');

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}
