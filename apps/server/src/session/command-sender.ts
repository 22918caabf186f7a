import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../bus/bus.ts';
import type { CommandStore, SendCommandResult } from '../store/command-store.ts';
import type { CommandBody, CommandOutcome } from './session-command.ts';

/** How often the outcome is looked up when nobody says that there is one. */
const pollMs = 500;

/** `pending` when the command is stored and whoever holds the session, or takes it over, has not executed it yet. */
export type SentCommand = CommandOutcome | 'pending' | Exclude<SendCommandResult, 'sent'>;

/** Sends commands to whoever holds a session, in whatever process that is. */
export class CommandSender {
  readonly #store: CommandStore;
  readonly #bus: Bus;

  constructor(store: CommandStore, bus: Bus) {
    this.#store = store;
    this.#bus = bus;
  }

  /** Waits `waitMs` for the outcome. */
  async send(sessionId: string, body: CommandBody, waitMs: number): Promise<SentCommand> {
    const id = randomUUID();
    let proceed = () => {};
    const unsubscribe = this.#bus.subscribe('sessionCommand', (message) => {
      if (message.sessionId === sessionId && message.state === 'finished') proceed();
    });
    try {
      const result = await this.#store.sendCommand(sessionId, { id, kind: body.kind, body });
      if (result !== 'sent') return result;
      this.#bus.publish({ topic: 'sessionCommand', sessionId, state: 'sent' });
      for (const until = performance.now() + waitMs; performance.now() < until;) {
        const finished = new Promise<void>((resolve) => (proceed = resolve));
        const outcome = await this.#store.getCommandOutcome(id);
        // The session's owner writes nothing else.
        if (outcome !== null) return outcome as CommandOutcome;
        const left = Math.max(until - performance.now(), 0);
        await Promise.race([finished, sleep(Math.min(pollMs, left), undefined, { ref: false })]);
      }
      return 'pending';
    } finally {
      unsubscribe();
    }
  }
}
