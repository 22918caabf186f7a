import type { SessionEvent } from '@parley/protocol/event';
import type { StoredEvent } from '../store/event-store.ts';
import type { Store } from '../store/store.ts';
import { type Subscription, subscribe } from './subscribe.ts';
import type { EventBus } from './event-bus.ts';

const turnEnds = new Set<SessionEvent['type']>(['turn.completed', 'turn.failed', 'turn.cancelled']);

export interface TurnReader {
  /** The turn's events from its start to its end, the calls it found rejected right after the start. False: full, until `resume`. */
  take(event: StoredEvent): boolean;
  /** The turn is over (its last event was taken), or can no longer come (`null`). */
  end(last: SessionEvent | null): void;
}

/** Reads the one turn that a queued item becomes, from the log's index `from` on. */
export function subscribeToTurn(
  parts: { store: Store; live: EventBus },
  turn: { readonly sessionId: string; readonly itemId: string; readonly from: number },
  reader: TurnReader,
  onError: (error: unknown) => void,
): Subscription {
  let turnId: string | null = null;
  let rejected: StoredEvent[] = [];
  let over = false;
  let room = true;

  const finish = (last: SessionEvent | null) => {
    over = true;
    following.stop();
    reader.end(last);
  };

  const following: Subscription = subscribe(
    parts,
    turn.sessionId,
    turn.from,
    (events) => {
      let taken = 0;
      for (const stored of events) {
        if (over || !room) break;
        room = takeOne(stored);
        taken += 1;
      }
      return taken;
    },
    onError,
  );
  return {
    resume() {
      room = true;
      following.resume();
    },
    stop: () => following.stop(),
  };

  function takeOne(stored: StoredEvent): boolean {
    const { event, itemId } = stored;
    if (event.type === 'session.completed' || event.type === 'session.failed') {
      finish(null);
      return false;
    }
    if (turnId === null) {
      if (event.type === 'turn.started' && itemId === turn.itemId) {
        turnId = event.data.turnId;
        const hasRoom = reader.take(stored);
        for (const rejection of rejected) reader.take(rejection);
        return hasRoom;
      }
      if (event.type === 'action.result' && event.data.status === 'rejected') rejected.push(stored);
      // Several calls of one step may be, by an answer or by their time.
      else if (event.type !== 'input.answered' && event.type !== 'input.expired') rejected = [];
      return true;
    }
    const hasRoom = reader.take(stored);
    if (turnEnds.has(event.type)) finish(event);
    return hasRoom;
  }
}
