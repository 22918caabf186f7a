import type { WebhookEvent } from '@parley/protocol/settings/webhook';

/** What a webhook may be told, as the team reads it. */
export const eventWords: Readonly<Record<WebhookEvent, { readonly label: string; readonly hint: string }>> = {
  'conversation.begun': { label: 'A conversation begins', hint: 'With its first message.' },
  'conversation.ended': { label: 'A conversation ends', hint: 'It is over, or has failed for good.' },
  message: { label: 'Messages', hint: 'What visitors, agents and the team say.' },
  'approval.asked': { label: 'An approval is asked for', hint: 'An agent waits for a yes or a no.' },
  'approval.answered': { label: 'An approval is answered', hint: 'Somebody said yes or no.' },
  rating: { label: 'Ratings', hint: 'What visitors think of an answer.' },
  hand_over: { label: 'Hand-overs', hint: 'The team takes a conversation, or hands it back.' },
  'contact.changed': { label: 'Contacts', hint: 'One is added, changed or erased. Of all agents only.' },
};
