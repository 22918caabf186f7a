import { sessionAccess } from '../../auth/session-access.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { ratingQuotas } from '../../limit/rating-quotas.ts';
import type { Sessions } from '../../session/sessions.ts';
import { readState } from '../../session/state/read-state.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import type { WebhookOutbox } from '../../webhook/webhook-outbox.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import { quotaExceeded, sessionNotFound } from '../rejection-problem.ts';

interface FeedbackHandlersDeps {
  readonly sessions: Sessions;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly webhookOutbox: WebhookOutbox;
}

/** What a visitor thought of a turn. To hold the session's id is enough, as it is for reading. */
export function feedbackHandlers({
  sessions,
  store,
  secrets,
  webhookOutbox,
}: FeedbackHandlersDeps): Handlers<'rateTurn'> {
  return {
    async rateTurn({ response, principal, id, body: { turnId, rating, comment } }) {
      const session = await sessions.find(id, sessionAccess(principal));
      if (!session) throw sessionNotFound();
      if (!hasTurn(session, turnId)) throw noSuchTurn();
      const full = await store.countQuotas(ratingQuotas(principal, { secrets, sessionId: session.id }));
      // Nothing in the settings raises it.
      if (full !== null) throw quotaExceeded(full, { kind: 'publishable' });
      const feedback = { turnId, rating, comment, at: Date.now() };
      const deliveries = webhookOutbox.deliveriesOfRating(session, feedback);
      const kept = await store.saveFeedback(session.id, feedback, deliveries);
      if (!kept) throw sessionNotFound();
      if (deliveries.length > 0) webhookOutbox.queued();
      response.json({ ok: true, sessionId: session.id, turnId });
    },
  };
}

function hasTurn(session: SessionRecord, turnId: string): boolean {
  const [, sequence] = /^turn_(0|[1-9]\d{0,8})$/.exec(turnId) ?? [];
  return sequence !== undefined && Number(sequence) < readState(session).nextTurn;
}

function noSuchTurn(): ProblemError {
  const message = "Expected 'turnId' to name a turn of this session.";
  return new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['turnId'], message }] });
}
