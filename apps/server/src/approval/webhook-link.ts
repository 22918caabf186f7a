import type { Secrets } from '../crypto/secrets.ts';
import { mayAnswer } from '../session/input-requests.ts';
import { webhookMember } from '../session/queue-item.ts';
import { UnreadableStateError } from '../session/state/unreadable-state-error.ts';
import type { Store } from '../store/store.ts';
import { approvalLinkMs, approvalToken } from './approval-link.ts';
import { approvalStanding } from './approval-standing.ts';
import { webhookApprover } from './webhook-approver.ts';
import { webhookPlace } from './webhook-place.ts';

interface WebhookLinkDeps {
  readonly store: Pick<Store, 'getSession' | 'listInputRequests' | 'readEvents' | 'settings'>;
  readonly secrets: Pick<Secrets, 'encrypt'>;
  /** Where the page of a token is. */
  readonly pageUrl: (token: string) => string;
}

interface AskedByWebhook {
  readonly sessionId: string;
  readonly requestId: string;
  readonly webhookId: string;
  /** Where it is sent. */
  readonly url: string;
}

/** What a webhook answers an approval by. */
interface WebhookLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** Made for each attempt and never stored; null: the webhook has no say, nobody waits for it any more, or the session cannot be read. */
export async function webhookLink(
  { store, secrets, pageUrl }: WebhookLinkDeps,
  { sessionId, requestId, webhookId, url }: AskedByWebhook,
): Promise<WebhookLink | null> {
  const now = Date.now();
  const asked = { sessionId, requestId, fingerprint: null, expiresAt: Infinity };
  const standing = await approvalStanding(store, asked, now).catch((error: unknown) => {
    // Nothing can be answered there. What is told without a link counts as an attempt, and those behind it follow.
    if (error instanceof UnreadableStateError) return null;
    throw error;
  });
  if (standing?.kind !== 'waiting') return null;
  const { session, pending, call } = standing;
  const approver = await webhookApprover(store.settings.webhooks, session, webhookId, webhookPlace(url));
  if (approver === null || !mayAnswer(pending, { by: 'team', member: approver })) return null;
  const expiresAt = Math.min(pending.expiresAt ?? Infinity, now + approvalLinkMs);
  const token = approvalToken(secrets, {
    sessionId,
    requestId,
    fingerprint: call.fingerprint ?? '',
    address: `${webhookMember({ id: webhookId, name: '' }).id} ${webhookPlace(url)}`,
    memberId: null,
    expiresAt,
  });
  return { url: pageUrl(token), expiresAt: new Date(expiresAt).toISOString() };
}
