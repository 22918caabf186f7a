import { createEventId } from '../events/event-id.ts';
import { isDraftId, isTrialId } from '../settings/draft-id.ts';
import { newId } from '../settings/id.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { TurnFeedback } from '../store/feedback-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { NewDelivery } from '../store/webhook-store.ts';
import { contactPayload, type Payload, payloadsOf, ratingPayload } from './event-payloads.ts';
import type { WebhookDirectory } from './webhook-directory.ts';

/** Whose events they are. */
export type ToldSession = Pick<SessionRecord, 'id' | 'tenantId' | 'agentId' | 'interface'>;

/** An event, as it is told: with the id of its log where it is in one. */
interface Told extends Payload {
  readonly eventId: string;
  readonly at: string;
}

/**
 * Makes what webhooks are told of an event. It is stored in the transaction of the event itself, so that neither is there
 * without the other, whatever process dies when.
 */
export class WebhookOutbox {
  readonly #directory: Pick<WebhookDirectory, 'isEmpty' | 'listening'>;
  readonly #onQueued: () => void;

  /** `onQueued`: something waits that this process may deliver. */
  constructor(directory: Pick<WebhookDirectory, 'isEmpty' | 'listening'>, onQueued: () => void) {
    this.#directory = directory;
    this.#onQueued = onQueued;
  }

  get isEmpty(): boolean {
    return this.#directory.isEmpty;
  }

  /** To be stored with the events. */
  deliveriesOf(session: ToldSession, events: readonly Pick<NewEvent, 'event'>[]): readonly NewDelivery[] {
    if (this.isEmpty) return [];
    return events.flatMap(({ event }) =>
      payloadsOf(event).flatMap((payload, place) => {
        // One event of the log may be several here.
        const eventId = place === 0 ? event.meta.id : `${event.meta.id}_${place}`;
        return this.#forEach(session, { ...payload, eventId, at: event.meta.at });
      }),
    );
  }

  /** To be stored with the rating. */
  deliveriesOfRating(session: ToldSession, feedback: TurnFeedback): readonly NewDelivery[] {
    if (this.isEmpty || feedback.rating === null) return [];
    const { at } = feedback;
    const told = { eventId: createEventId(at), at: new Date(at).toISOString() };
    return this.#forEach(session, { ...ratingPayload(feedback), ...told });
  }

  /** Whether a change of a contact is told of. */
  tellsOfContacts(tenantId: string): boolean {
    return this.#directory.listening(tenantId, null, 'contact.changed').length > 0;
  }

  /** To be stored with the change, in the lane of the contact. */
  deliveriesOfContact(
    tenantId: string,
    ...change: Parameters<typeof contactPayload>
  ): readonly NewDelivery[] {
    const { type, data } = contactPayload(...change);
    const now = Date.now();
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
    return this.#toEach(this.#directory.listening(tenantId, null, type), {
      eventId: createEventId(now),
      type,
      body,
    });
  }

  /** Once they are stored. */
  queued(): void {
    this.#onQueued();
  }

  #forEach(session: ToldSession, { type, data, eventId, at }: Told): readonly NewDelivery[] {
    const { id: sessionId, tenantId, agentId } = session;
    if (isDraftId(agentId) || isTrialId(agentId)) return [];
    const webhooks = this.#directory.listening(tenantId, agentId, type);
    if (webhooks.length === 0) return [];
    const about = { sessionId, agentId, interface: session.interface };
    const body = JSON.stringify({ type, timestamp: at, data: { ...about, ...data } });
    return this.#toEach(webhooks, { eventId, type, body });
  }

  #toEach(
    webhookIds: readonly string[],
    told: Pick<NewDelivery, 'eventId' | 'type' | 'body'>,
  ): readonly NewDelivery[] {
    return webhookIds.map((webhookId) => ({ id: newId('delivery'), webhookId, ...told }));
  }
}
