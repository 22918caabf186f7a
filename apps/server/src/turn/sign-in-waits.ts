import { setTimeout } from 'node:timers/promises';
import { newEvent } from '../events/new-event.ts';
import type { QueueItemBody } from '../session/queue-item.ts';
import type { Call, ToolStep } from '../session/state/phase.ts';
import type { SignInOffer } from '../tool/tool.ts';
import { type TurnContext, checkpoint, stepAt } from './context.ts';
import { deliverableCalls } from './deliverable-calls.ts';
import { toolPhase } from './tool-phase.ts';

/** How long a turn waits for its visitor to sign in. */
const waitMs = 10 * 60_000;
/** How often it is looked whether the visitor has written instead. */
const lookMs = 500;

type Outcome = 'authorized' | 'declined' | 'timed-out';

/** What the calls of one step wait for before they can be made: that the visitor signs in. */
export class SignInWaits {
  readonly #context: TurnContext;
  /** By what is signed in to: calls at once wait for the same. */
  readonly #waits = new Map<string, Promise<Outcome>>();

  constructor(context: TurnContext) {
    this.#context = context;
  }

  /** Asks the visitor, once for all calls, and waits for what they do. */
  async wait(offer: SignInOffer, call: Call): Promise<Outcome> {
    const { name } = offer;
    const asked = this.#waits.get(name);
    if (asked) {
      await this.#note((signIns) =>
        signIns.map((each) =>
          each.name === name ? { ...each, callIds: [...each.callIds, call.callId] } : each,
        ),
      );
      return asked;
    }
    const wait = this.#ask(offer, call);
    this.#waits.set(name, wait);
    return wait;
  }

  async #ask(offer: SignInOffer, { callId }: Call): Promise<Outcome> {
    const context = this.#context;
    const { turn, step } = toolPhase(context);
    const { name, host } = offer;
    const at = { ...stepAt(turn.sequence, turn.stepIndex), name };
    // Another process has asked already, and did not live to see the answer.
    const asked = step.signIns?.find((each) => each.name === name && each.expiresAt > Date.now());
    const expiresAt = asked?.expiresAt ?? Date.now() + waitMs;
    if (!asked) {
      const authorization = {
        url: offer.link(expiresAt),
        expiresAt: new Date(expiresAt).toISOString(),
        displayName: name,
      };
      const description = `At ${host}, with your own account.`;
      context.appender.add(newEvent('authorization.required', { ...at, description, authorization }));
      await this.#note((signIns) => [...signIns, { name, callIds: [callId], expiresAt }]);
    }
    const outcome = await context.rest(this.#outcome(offer, expiresAt), () =>
      isIdle(toolPhase(context).step),
    );
    context.signal.throwIfAborted();
    context.appender.add(newEvent('authorization.completed', { ...at, outcome }));
    await this.#note((signIns) => signIns.filter((each) => each.name !== name));
    return outcome;
  }

  #note(change: (signIns: NonNullable<ToolStep['signIns']>) => ToolStep['signIns'] & {}): Promise<void> {
    const context = this.#context;
    const phase = toolPhase(context);
    const signIns = change(phase.step.signIns ?? []);
    return checkpoint(context, {
      state: { ...context.state, phase: { ...phase, step: { ...phase.step, signIns } } },
    });
  }

  async #outcome(offer: SignInOffer, expiresAt: number): Promise<Outcome> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#context.signal, over.signal]);
    try {
      return await Promise.race([
        offer.outcome(signal),
        setTimeout(Math.max(expiresAt - Date.now(), 0), 'timed-out' as const, { signal }),
        this.#wroteInstead(signal),
      ]);
    } finally {
      over.abort();
    }
  }

  /** Who writes something else does not want to sign in. */
  async #wroteInstead(signal: AbortSignal): Promise<'declined'> {
    const { store, session } = this.#context;
    for (;;) {
      await setTimeout(lookMs, undefined, { signal });
      const waiting = await store.listQueue(session.id);
      if (waiting.some(({ body }) => (body as QueueItemBody).kind === 'delivery')) return 'declined';
    }
  }
}

/** Whether every call that has no answer waits for its visitor. */
function isIdle(step: ToolStep): boolean {
  const waiting = waitingCallIds(step);
  return deliverableCalls(step).every(({ callId }) => waiting.has(callId));
}

/** The calls that were not made before their visitor had signed in. */
export const waitingCallIds = ({ signIns = [] }: ToolStep): ReadonlySet<string> =>
  new Set(signIns.flatMap(({ callIds }) => callIds));
