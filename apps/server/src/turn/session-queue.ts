import type { QueueItemBody } from '../session/queue-item.ts';
import { openTurn } from '../session/state/phase.ts';
import { readState } from '../session/state/read-state.ts';
import type { AcceptedItem } from '../session/turn-runner.ts';
import type { SessionCommandRecord } from '../store/command-store.ts';
import type { QueueItem } from '../store/queue-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { nextWakeup } from './next-wakeup.ts';
import type { SessionTurns } from './session-turns.ts';
import type { SessionWork } from './session-work.ts';

/** What the transaction that gave the lease knew: read by nobody again. */
export interface HandedOver {
  readonly session: SessionRecord;
  /** The first item that waits. */
  readonly item: QueueItem;
  readonly accepted: AcceptedItem;
  readonly commands: readonly SessionCommandRecord[];
}

/**
 * A member of the team does not wait for what is still to be answered: whoever wrote it is answered by them, or by an agent
 * that they have told something.
 */
const teamFirst: readonly QueueItemBody['kind'][] = ['take-over', 'whisper'];

/** Takes what waits for a session, one after the other, until nothing does and the lease is let go. */
export class SessionQueue {
  readonly #work: SessionWork;
  readonly #turns: SessionTurns;
  #handedOver: HandedOver | null;
  #stopping = false;

  constructor(work: SessionWork, turns: SessionTurns, handedOver: HandedOver | null) {
    this.#work = work;
    this.#turns = turns;
    this.#handedOver = handedOver;
  }

  /** Nothing more is begun. */
  stop(): void {
    this.#stopping = true;
  }

  /** `left` when what waits is for whoever takes the session over. */
  async work(): Promise<'done' | 'left'> {
    const { store, lease, commands, end } = this.#work;
    const known = this.#handedOver;
    this.#handedOver = null;
    let session: SessionRecord | null = known?.session ?? (await store.getSession(lease.sessionId));
    // What an earlier owner left stands before what came now.
    let next = known?.item.id === known?.accepted.itemId ? (known?.item ?? null) : null;
    if (!session) return 'done';
    this.#work.session = session;
    const stored = known?.commands ?? (await store.listCommands(lease.sessionId));
    if (await this.#goOn(session, stored)) return 'done';
    if (openTurn(readState(session))) session = null;
    for (let releases = 0; releases < 2;) {
      if (end.requested) {
        await end.write(end.requested, this.#work.appender, commands);
        return 'done';
      }
      if (this.#stopping) {
        await store.releaseLease(lease);
        return 'left';
      }
      const item = next ?? (await store.nextItem(lease.sessionId, teamFirst));
      next = null;
      session ??= await store.getSession(lease.sessionId);
      if (item && !session) return 'done';
      const source = item ?? (session && isDue(session) ? 'wake-up' : null);
      if (session && source) {
        if (item) releases = 0;
        if (await this.#turns.run(session, source)) return 'done';
        session = null;
      } else {
        const released = await this.#release();
        if (released === true) return 'done';
        releases = released === 'commands' ? 0 : releases + 1;
      }
    }
    return 'done';
  }

  /** Executes what waits and goes on with the turn that is open in the log. True when the lease was let go with it. */
  async #goOn(session: SessionRecord, stored: readonly SessionCommandRecord[]): Promise<boolean> {
    const { commands, current } = this.#work;
    const turn = openTurn(readState(session));
    for (const command of stored) commands.receiveStored(command);
    if (turn) current.open(turn);
    commands.open();
    return turn !== null && (await this.#turns.goOn(session));
  }

  /** True when the lease was let go; `commands` when some waited, which are received then. */
  async #release(): Promise<boolean | 'commands'> {
    const { store, lease, commands, current } = this.#work;
    current.finishIdle();
    await commands.written();
    if (await store.releaseLease(lease)) return true;
    const waiting = await store.listCommands(lease.sessionId);
    // Nothing runs that one of them could still be waiting for.
    commands.forget();
    for (const command of waiting) commands.receiveStored(command);
    return waiting.length > 0 && 'commands';
  }
}

function isDue(session: SessionRecord): boolean {
  return (nextWakeup(session, readState(session)) ?? Number.POSITIVE_INFINITY) <= Date.now();
}
