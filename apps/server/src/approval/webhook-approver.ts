import { type TeamMember, webhookMember } from '../session/queue-item.ts';
import { UnreadableRecordError } from '../settings/unreadable-record-error.ts';
import { webhookOf } from '../settings/webhook.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { SettingsStore, WebhookRecord } from '../store/settings-store.ts';
import { webhookPlace } from './webhook-place.ts';

export type Webhooks = Pick<SettingsStore['webhooks'], 'get'>;

/**
 * As whom whoever runs the address of a webhook approves what this agent does; null: they have no say, or none any more.
 * With a place: only as long as it still is where the webhook leads.
 */
export async function webhookApprover(
  webhooks: Webhooks,
  { tenantId, agentId }: Pick<SessionRecord, 'tenantId' | 'agentId'>,
  webhookId: string,
  place: string | null = null,
): Promise<TeamMember | null> {
  const record = await webhooks.get(webhookId);
  if (record === null || record.tenantId !== tenantId || !record.active) return null;
  return isAsked(record, agentId, place) ? webhookMember(record) : null;
}

function isAsked(record: WebhookRecord, agentId: string, place: string | null): boolean {
  try {
    const { approvalLinks, events, agentIds, url } = webhookOf(record);
    if (place !== null && place !== webhookPlace(url)) return false;
    return approvalLinks && events.includes('approval.asked') && (agentIds?.includes(agentId) ?? true);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return false;
    throw error;
  }
}
