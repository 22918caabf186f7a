import { expect, test } from 'vitest';
import { newWebhook, webhookBody } from './webhook-entries.ts';

test('a link that approves is sent to a webhook that is told of approvals, and to no other', () => {
  const linked = { ...newWebhook, approvalLinks: 'yes' };
  const told = { ...linked, events: `${linked.events}\napproval.asked` };
  expect(webhookBody(linked).approvalLinks).toBe(false);
  expect(webhookBody(told).approvalLinks).toBe(true);
  expect(webhookBody({ ...told, approvalLinks: '' }).approvalLinks).toBe(false);
});
