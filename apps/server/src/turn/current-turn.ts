import type { NamedTurn } from '../session/session-command.ts';
import type { Turn } from '../session/state/phase.ts';
import type { ReceivedCommand } from './received-commands.ts';
import { type Interruption, TurnInterruptedError } from './turn-interrupted-error.ts';

/** Made once: the reason of an abort that nobody gives one is a new exception with its stack. */
const turnOver = new Error('The turn is over.');

/** The turn that runs or is about to, what cancels it, and what cancels items that still wait. */
export class CurrentTurn {
  readonly #finish: (commands: readonly ReceivedCommand[]) => void;
  #controller = new AbortController();
  #turnId: string | null = null;
  #itemId: string | null = null;
  #commands: ReceivedCommand[] = [];
  #draining = false;
  readonly #resting = new Set<() => boolean>();
  /** Items that were cancelled while they waited, and by what: their turns are cancelled as soon as they begin. */
  readonly #cancelledItems = new Map<string, ReceivedCommand[]>();

  /** `finish` is given the commands that had nothing to cancel. */
  constructor(finish: (commands: readonly ReceivedCommand[]) => void) {
    this.#finish = finish;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get itemId(): string | null {
    return this.#itemId;
  }

  /** Those that cancel it. */
  get commands(): readonly ReceivedCommand[] {
    return this.#commands;
  }

  /** The turn of this item begins; it is cancelled at once when the item was. */
  beginItem(itemId: string): void {
    this.#itemId = itemId;
    const commands = this.#cancelledItems.get(itemId);
    if (!commands) return;
    this.#cancelledItems.delete(itemId);
    this.#commands.push(...commands);
    this.interrupt('cancelled');
  }

  /** This turn is open in the log. */
  open({ sequence, itemId }: Turn): void {
    this.#turnId = `turn_${sequence}`;
    this.beginItem(itemId);
  }

  /** Only a person is waited for while `isIdle` says so: whoever stops does not wait as well. */
  async rest<Result>(work: Promise<Result>, isIdle: () => boolean): Promise<Result> {
    this.#resting.add(isIdle);
    try {
      if (this.#draining) this.drain();
      return await work;
    } finally {
      this.#resting.delete(isIdle);
    }
  }

  /** The process stops: what waits for a person goes on in another one. */
  drain(): void {
    this.#draining = true;
    if ([...this.#resting].some((isIdle) => isIdle())) this.interrupt('stopping');
  }

  cancel(command: ReceivedCommand, named: NamedTurn): void {
    const isOther =
      (named.turnId && named.turnId !== this.#turnId) || (named.itemId && named.itemId !== this.#itemId);
    if (!isOther) this.#cancelThis(command);
    else if (named.itemId) this.#cancelItem(command, named.itemId);
    else this.#finish([command]);
  }

  interrupt(reason: Interruption): void {
    this.#controller.abort(new TurnInterruptedError(reason));
  }

  /** It has ended. What still works for it, such as a call beside one that failed, may add nothing to it. */
  end(): void {
    this.#controller.abort(turnOver);
    this.#finish(this.#replace().commands);
  }

  /** It has not ended: somebody goes on with it, this loop, which was asked already, or another, which is asked again. */
  cutOff(): void {
    this.#controller.abort(turnOver);
    const { commands, itemId } = this.#replace();
    for (const command of commands) {
      if (itemId === null) this.#cancelThis(command);
      else this.#cancelItem(command, itemId);
    }
  }

  /** What is next is tried once more: what cancels it is known, which turn it is has to be found out. */
  retry(): void {
    for (const command of this.#replace().commands) this.#cancelThis(command);
  }

  /** No turn runs and none is about to: what would cancel one has nothing to cancel. */
  finishIdle(): void {
    const idle = [...this.#commands, ...[...this.#cancelledItems.values()].flat()];
    if (idle.length === 0) return;
    this.#cancelledItems.clear();
    this.#replace();
    this.#finish(idle);
  }

  #cancelThis(command: ReceivedCommand): void {
    this.#commands.push(command);
    this.interrupt('cancelled');
  }

  #cancelItem(command: ReceivedCommand, itemId: string): void {
    this.#cancelledItems.set(itemId, [...(this.#cancelledItems.get(itemId) ?? []), command]);
  }

  /** The next one, about which nothing is known yet. */
  #replace(): { readonly commands: readonly ReceivedCommand[]; readonly itemId: string | null } {
    const before = { commands: this.#commands, itemId: this.#itemId };
    this.#controller = new AbortController();
    this.#turnId = this.#itemId = null;
    this.#commands = [];
    return before;
  }
}
