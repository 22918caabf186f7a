import type { Egress, EgressAnswer, EgressFailure } from '../egress/egress.ts';
import { retryAfterOf } from '../egress/retry-after-of.ts';
import type { DeliveryAttempt } from '../store/webhook-store.ts';
import { signedHeaders } from './signature.ts';

const timeoutMs = 15_000;
/** Characters of an answer that the log keeps. */
const maxResponseLength = 1_000;

export interface WebhookCall {
  /** The webhook's. */
  readonly id: string;
  readonly url: string;
  readonly secrets: readonly string[];
  readonly eventId: string;
  readonly body: string;
}

export interface CalledWebhook extends DeliveryAttempt {
  readonly attemptedAt: number;
  readonly isDelivered: boolean;
  /** Milliseconds in which the address asks not to be called; 0: it says nothing of it. */
  readonly retryAfterMs: number;
  /** The address says that nobody is there any more. */
  readonly isGone: boolean;
}

/** One signed request. Null when it was aborted: whether it arrived is not known. */
export async function callWebhook(
  egress: Pick<Egress, 'request'>,
  { id, url, secrets, eventId, body }: WebhookCall,
  signal: AbortSignal,
): Promise<CalledWebhook | null> {
  const attemptedAt = Date.now();
  const startedAt = performance.now();
  const signed = signedHeaders(secrets, { id: eventId, seconds: Math.floor(attemptedAt / 1_000), body });
  const answer = await egress.request({
    // A slot of its own: an address that is slow takes none from the tools of its tenant.
    tenantId: id,
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...signed },
    body,
    timeoutMs,
    signal,
  });
  if (answer.outcome === 'aborted') return null;
  const httpStatus = statusOf(answer);
  const isDelivered = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  return {
    attemptedAt,
    durationMs: Math.round(performance.now() - startedAt),
    httpStatus,
    response: answer.outcome === 'answer' ? beginningOf(answer.text) : null,
    problem: isDelivered ? null : problemOf(answer, httpStatus),
    isDelivered,
    isGone: httpStatus === 410,
    retryAfterMs: retryAfterMsOf(answer, attemptedAt),
  };
}

/** An address says with its status alone what became of an event: the rest of its answer may break off, or never end. */
function statusOf(answer: EgressAnswer | EgressFailure): number | null {
  if ('status' in answer) return answer.status;
  return ('sent' in answer && answer.answered) || null;
}

/** Of an address that takes too much to do, or is not there for a while (RFC 9110, 10.2.3). */
function retryAfterMsOf(answer: EgressAnswer | EgressFailure, now: number): number {
  if (answer.outcome !== 'answer' || (answer.status !== 429 && answer.status !== 503)) return 0;
  return retryAfterOf(answer.retryAfter, now) ?? 0;
}

function problemOf(answer: EgressAnswer | EgressFailure, httpStatus: number | null): string {
  const isAnswer = answer.outcome === 'answer' || ('sent' in answer && httpStatus !== null);
  if (isAnswer) return `The address answered ${httpStatus}.`;
  return answer.outcome === 'denied' ? answer.explanation : answer.message;
}

/** A character that no text column of PostgreSQL holds is left out. */
const beginningOf = (text: string): string =>
  text.slice(0, maxResponseLength).toWellFormed().replaceAll('\0', '');
