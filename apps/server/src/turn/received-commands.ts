import { type CommandBody, type CommandOutcome, commandBodySchema } from '../session/session-command.ts';
import type { FinishedCommand, SessionCommandRecord } from '../store/command-store.ts';

/** A command on its way to its outcome. */
export interface ReceivedCommand {
  /** Null for one of this process, which is stored nowhere. */
  readonly id: string | null;
  /** Null for a stored one that this version does not understand. */
  readonly body: CommandBody | null;
  /** Told once: the outcome as the log has it, or null when another process has to find it. */
  readonly settle: (outcome: CommandOutcome | null) => void;
}

interface ReceivedCommandsDeps {
  readonly execute: (command: ReceivedCommand) => void;
  readonly write: (commands: readonly FinishedCommand[]) => Promise<unknown>;
  /** A stored command has its outcome. */
  readonly onFinished: () => void;
}

/** The commands that a session's loop was given, each once, until they have their outcome. */
export class ReceivedCommands {
  readonly #deps: ReceivedCommandsDeps;
  readonly #ids = new Set<string>();
  readonly #unsettled = new Set<ReceivedCommand>();
  /** What came before it was known which turn is open. */
  #early: ReceivedCommand[] | null = [];
  #writing: Promise<unknown> = Promise.resolve();
  /** Once the work is over. */
  #outcomeOf: ((command: ReceivedCommand) => CommandOutcome | null) | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(deps: ReceivedCommandsDeps) {
    this.#deps = deps;
  }

  /** Passes over a command that was received before. */
  receiveStored({ id, body }: SessionCommandRecord): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    const settle = (outcome: CommandOutcome | null) => {
      if (outcome !== null) this.#deps.onFinished();
    };
    this.receive({ id, body: commandBodySchema.safeParse(body).data ?? null, settle });
  }

  receive(command: ReceivedCommand): void {
    if (this.#outcomeOf) return command.settle(this.#outcomeOf(command));
    this.#unsettled.add(command);
    if (this.#early) this.#early.push(command);
    else this.#deps.execute(command);
  }

  /** Until the next `open` commands wait. */
  hold(): void {
    this.#early ??= [];
  }

  /** From now on commands are executed as they come. */
  open(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const command of early) this.#deps.execute(command);
  }

  /** For commands that have their outcome without anything else being written. */
  finish(commands: readonly ReceivedCommand[], outcome: CommandOutcome): void {
    const open = commands.filter((command) => this.#unsettled.has(command));
    const stored = finished(open, outcome);
    if (stored.length === 0) return this.settle(open, outcome);
    const written = this.#deps.write(stored).then(
      () => this.settle(open, outcome),
      (error: unknown) => {
        this.#failure = { error };
        // They wait still, and are received once more.
        for (const { id } of stored) this.#ids.delete(id);
      },
    );
    this.#writing = Promise.all([this.#writing, written]);
  }

  /** For commands whose outcome is in the log. */
  settle(commands: readonly ReceivedCommand[], outcome: CommandOutcome | null): void {
    for (const command of commands) if (this.#unsettled.delete(command)) command.settle(outcome);
  }

  /** The work is over: what was received and what still comes has this outcome. */
  settleRest(outcomeOf: (command: ReceivedCommand) => CommandOutcome | null): void {
    this.#outcomeOf = outcomeOf;
    for (const command of this.#unsettled) this.settle([command], outcomeOf(command));
  }

  /** Resolves when no outcome is being written any more; rejects when one could not be since it was last asked. */
  async written(): Promise<void> {
    await this.#writing;
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure.error;
  }

  /** Nothing that was received can still be waiting for its turn: whatever the store names is received again. */
  forget(): void {
    this.#ids.clear();
  }
}

/** Of the commands those that are stored. */
export function finished(
  commands: readonly ReceivedCommand[],
  outcome: CommandOutcome,
): readonly FinishedCommand[] {
  return commands.flatMap(({ id }) => (id === null ? [] : [{ id, outcome }]));
}
