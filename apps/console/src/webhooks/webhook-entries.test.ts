import { expect, test } from 'vitest';
import { newWebhook, webhookBody, webhookChanges } from './webhook-entries.ts';

test('a link that approves is sent to a webhook that is told of approvals, and to no other', () => {
  const linked = { ...newWebhook, approvalLinks: 'yes' };
  const told = { ...linked, events: `${linked.events}\napproval.asked` };
  expect(webhookBody(linked).approvalLinks).toBe(false);
  expect(webhookBody(told).approvalLinks).toBe(true);
  expect(webhookBody({ ...told, approvalLinks: '' }).approvalLinks).toBe(false);
});

test('what was not entered is not sent, so that nobody switches on what another one has switched off', () => {
  const before = {
    ...newWebhook,
    name: 'Desk',
    events: `${newWebhook.events}\napproval.asked`,
    approvalLinks: 'yes',
  };
  expect(webhookChanges(before, { ...before, name: ' Counter ' })).toEqual({ name: 'Counter' });
  // The links go with what they answer.
  expect(webhookChanges(before, { ...before, events: 'message' })).toEqual({
    events: ['message'],
    approvalLinks: false,
  });
});
