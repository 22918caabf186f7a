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
  expect(webhookChanges(before, { ...before, name: ' Counter ' }, before)).toEqual({ name: 'Counter' });
  // The links go with what they answer.
  expect(webhookChanges(before, { ...before, events: 'message' }, before)).toEqual({
    events: ['message'],
    approvalLinks: false,
  });
});

test('what others have chosen since the form was shown stays', () => {
  const before = { ...newWebhook, name: 'Desk', events: 'message\nrating', agentIds: 'a\nb' };
  const now = { ...before, name: 'Counter', events: 'rating\nconversation.ended', agentIds: 'b' };
  const entered = { ...before, events: 'message\nrating\nhand_over' };
  expect(webhookChanges(before, entered, now)).toEqual({
    events: ['rating', 'conversation.ended', 'hand_over'],
  });
  expect(webhookChanges(before, { ...before, events: 'message' }, now)).toEqual({
    events: ['conversation.ended'],
  });
  expect(webhookChanges(before, { ...before, agentIds: 'a\nb\nc' }, now)).toEqual({ agentIds: ['b', 'c'] });
  expect(webhookChanges(before, { ...before, agentIds: '' }, now)).toEqual({ agentIds: null });
});

test('agents that two take away leave a webhook of what was entered last, and not of all agents', () => {
  const before = { ...newWebhook, agentIds: 'a\nb' };
  const now = { ...before, agentIds: 'b' };
  expect(webhookChanges(before, { ...before, agentIds: 'a' }, now)).toEqual({ agentIds: ['a'] });
});

test('events that two take away leave a webhook of what was entered last, which its form shows', () => {
  const before = { ...newWebhook, events: 'message\nrating' };
  const now = { ...before, events: 'rating' };
  expect(webhookChanges(before, { ...before, events: 'message' }, now)).toEqual({ events: ['message'] });
});
