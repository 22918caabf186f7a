import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModelPart } from './model.ts';

/** Joins the deltas of one kind that arrive in the same turn of the event loop. */
export class DeltaBuffer {
  #held: ModelPart | undefined;
  /** Resolves to undefined in the turn after the one that filled the buffer. */
  turn: Promise<undefined> = Promise.resolve(undefined);

  isEmpty(): boolean {
    return this.#held === undefined;
  }

  /** False when `part` is no delta, or none that continues what is held. */
  add(part: ModelPart): boolean {
    if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-input') return false;
    const held = this.#held;
    if (held === undefined) {
      this.#held = part;
      this.turn = nextTurn(undefined);
    } else if (held.type === 'tool-input' && part.type === 'tool-input' && held.callId === part.callId) {
      this.#held = { ...held, delta: held.delta + part.delta };
    } else if ((held.type === 'text' || held.type === 'reasoning') && part.type === held.type) {
      this.#held = { type: held.type, text: held.text + part.text };
    } else {
      return false;
    }
    return true;
  }

  take(): ModelPart | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }
}
