import type { Appender } from '../events/appender.ts';
import { logPages } from '../events/log-pages.ts';
import { newEvent } from '../events/new-event.ts';
import type { QueueItemBody } from '../session/queue-item.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { Store } from '../store/store.ts';
import type { TurnEnd } from '../store/turn-store.ts';
import { sessionWaiting, turnAt } from './context.ts';
import { silentTurnEnd } from './turn-end.ts';
import { turnStarted } from './turn-started.ts';

interface Unreadable {
  readonly store: Store;
  readonly sessionId: string;
  readonly appender: Appender;
  readonly errorId: string;
}

/**
 * Ends as failed the turn that is open in the log of a session whose state cannot be read, and the turns of all that
 * waits: trying again would change nothing. The state stays as it is stored, for an operator to repair, and the lease
 * is let go.
 */
export async function failUnreadable({ store, sessionId, appender, errorId }: Unreadable): Promise<void> {
  const failure = {
    code: 'INTERNAL',
    message: 'This conversation cannot be continued. Please start a new one.',
    details: { errorId },
  };
  for (let released = false; !released;) {
    const last = await lastTurn(store, sessionId);
    const events: NewEvent[] = last ? [] : [newEvent('session.started', {})];
    const endTurns: TurnEnd[] = [];
    const end = (sequence: number) => {
      events.push(newEvent('turn.failed', { ...turnAt(sequence), ...failure }), sessionWaiting());
      endTurns.push(silentTurnEnd('failed', sequence));
    };
    if (last?.open) end(last.sequence);
    const items = await store.listQueue(sessionId);
    let sequence = last ? last.sequence + 1 : 0;
    for (const { id, body } of items) {
      if ((body as QueueItemBody).kind !== 'delivery') {
        events.push(sessionWaiting());
        continue;
      }
      const unknown = { author: 'visitor', configuration: null, modelId: null } as const;
      events.push(turnStarted(sequence, { itemId: id, ...unknown }));
      end(sequence);
      sequence += 1;
    }
    appender.add(...events);
    const consume = items.map(({ position }) => position);
    const commands = (await store.listCommands(sessionId)).map(({ id }) => ({
      id,
      outcome: 'no-active-turn',
    }));
    ({ released } = await appender.commit({ endTurns, consume, commands, wakeAt: null, release: true }));
  }
}

/** The last turn that the log shows, and whether it shows no end of it. */
async function lastTurn(
  store: Store,
  sessionId: string,
): Promise<{ readonly sequence: number; readonly open: boolean } | null> {
  let last: { sequence: number; open: boolean } | null = null;
  for await (const events of logPages(store, sessionId)) {
    for (const { event } of events) {
      switch (event.type) {
        case 'turn.started':
          last = { sequence: event.data.sequence, open: true };
          break;
        case 'turn.completed':
        case 'turn.failed':
        case 'turn.cancelled':
          if (last?.sequence === event.data.sequence) last.open = false;
      }
    }
  }
  return last;
}
