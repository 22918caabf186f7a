import { setTimeout } from 'node:timers/promises';
import type { EventBus } from '../events/event-bus.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { NewDelivery } from '../store/webhook-store.ts';
import type { WebhookOutbox } from '../webhook/webhook-outbox.ts';
import type { CommandSender } from './command-sender.ts';
import type { CommandBody, SessionEnd } from './session-command.ts';
import type { TurnRunner } from './turn-runner.ts';
import { within } from './within.ts';

const endAttempts = 20;
const endRetryMs = 5;
/** A dead owner's lease runs out after 5 s, and is noticed within another second. */
const endWaitMs = 8_000;

/** `pending`: accepted, and not done yet; `busy`: not accepted, it may be asked again. */
export type SessionEndResult = 'ended' | 'not-open' | 'pending' | 'busy';

interface EndSessionDeps {
  readonly store: Pick<SessionStore, 'endSession' | 'getSession'>;
  readonly webhookOutbox: WebhookOutbox;
  /** Null: other processes run the turns. */
  readonly runner: TurnRunner | null;
  readonly live: EventBus;
  readonly commands: CommandSender;
}

/**
 * Ends an open session, cancelling what runs. A session that another process holds is ended by that one; `pending`
 * when whoever holds it has not done so within 8 s, in which a dead one is noticed. What is pending is stored, and a
 * crash after the answer does not lose it. Rejects with `StoreUnavailableError`.
 */
export async function endSession(
  deps: EndSessionDeps,
  sessionId: string,
  ending: SessionEnd,
): Promise<SessionEndResult> {
  const { runner, commands } = deps;
  const body: CommandBody = { kind: 'end', ...ending };
  for (let attempt = 0; attempt < endAttempts; attempt += 1) {
    const executed = runner?.execute(sessionId, body);
    const outcome = executed && (await within(endWaitMs, executed));
    if (outcome === 'ended') return 'ended';
    // Known to this process alone so far: whoever is answered may rely on it only once it is stored.
    if (executed && outcome === 'pending') {
      const stored = await commands.send(sessionId, body, 0);
      if (stored === 'pending') return 'pending';
      if (stored === 'full') return 'busy';
      if (stored === 'not-open')
        return (await within(endWaitMs, executed)) === 'ended' ? 'ended' : 'not-open';
      continue;
    }
    if (await endUnheld(deps, sessionId, ending)) return 'ended';
    const sent = await commands.send(sessionId, body, endWaitMs);
    if (sent === 'ended' || sent === 'pending') return sent;
    if (sent === 'not-open' || sent === 'session-ended') return 'not-open';
    // Its holder let go of it in between, or has as many commands as it may.
    await setTimeout(endRetryMs);
  }
  return 'busy';
}

/** Ends an open session that nobody runs; with `idleMs` only when nothing has happened in it for so long. */
export async function endUnheld(
  deps: Pick<EndSessionDeps, 'store' | 'webhookOutbox' | 'live'>,
  sessionId: string,
  ending: SessionEnd,
  idleMs = 0,
): Promise<boolean> {
  const deliveries = await deliveriesOf(deps, sessionId, ending);
  const firstIndex = await deps.store.endSession(sessionId, { ...ending, deliveries, idleMs });
  if (firstIndex === null) return false;
  if (deliveries.length > 0) deps.webhookOutbox.queued();
  // With what was appended: a session that is removed next can no longer be read.
  const events = ending.events.map((event, offset) => ({ ...event, index: firstIndex + offset }));
  deps.live.publish(sessionId, events);
  return true;
}

async function deliveriesOf(
  { store, webhookOutbox }: Pick<EndSessionDeps, 'store' | 'webhookOutbox'>,
  sessionId: string,
  { events }: SessionEnd,
): Promise<readonly NewDelivery[]> {
  if (webhookOutbox.isEmpty) return [];
  const session = await store.getSession(sessionId);
  return session ? webhookOutbox.deliveriesOf(session, events) : [];
}
