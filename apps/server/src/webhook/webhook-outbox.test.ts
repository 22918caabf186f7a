import { expect, test } from 'vitest';
import { draftId, trialId } from '../settings/draft-id.ts';
import { WebhookOutbox } from './webhook-outbox.ts';

const outbox = new WebhookOutbox({ isEmpty: false, listening: () => ['webhook_1'] }, () => undefined);
const rated = { turnId: 'turn_0', rating: 'up', comment: null, at: 0 } as const;
const ratingOf = (agentId: string) =>
  outbox.deliveriesOfRating({ id: 'session_1', tenantId: 'tenant_1', agentId, interface: 'sessions' }, rated);

test('a rating is told of, but not one by whoever tries a draft out', () => {
  expect(ratingOf('agent_1')).toMatchObject([{ webhookId: 'webhook_1', type: 'rating' }]);
  for (const tried of [draftId('agent_1'), trialId('agent_1'), trialId(draftId('agent_1'))])
    expect(ratingOf(tried)).toEqual([]);
});
