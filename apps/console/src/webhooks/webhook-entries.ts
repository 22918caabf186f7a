import type { WebhookEvent, WebhookView } from '@parley/protocol/settings/webhook';
import { changedIn } from '../ui/changed-in.ts';

export interface WebhookEntries {
  [field: string]: string;
  name: string;
  url: string;
  /** One a line. */
  events: string;
  /** One a line; empty: all. */
  agentIds: string;
  active: string;
  approvalLinks: string;
}

type Settings = Pick<WebhookView, 'name' | 'url' | 'events' | 'agentIds' | 'active' | 'approvalLinks'>;

export const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

export const webhookEntries = (settings: Settings): WebhookEntries => ({
  name: settings.name,
  url: settings.url,
  events: settings.events.join('\n'),
  agentIds: (settings.agentIds ?? []).join('\n'),
  active: settings.active ? 'yes' : '',
  approvalLinks: settings.approvalLinks ? 'yes' : '',
});

export const newWebhook = webhookEntries({
  name: '',
  url: '',
  events: ['conversation.begun', 'conversation.ended', 'message'],
  agentIds: null,
  active: true,
  approvalLinks: false,
});

export function webhookProblems({ name, url, events }: WebhookEntries): Record<string, string> {
  return {
    ...(!URL.canParse(url.trim()) && {
      url: 'Enter the address that takes events, such as https://example.com/parley.',
    }),
    ...(name.trim() === '' && { name: 'Give it a name.' }),
    ...(events === '' && { events: 'Choose what it is told.' }),
  };
}

/** Whether it is told of what a link could answer. */
export const isAskedToApprove = ({ events }: WebhookEntries): boolean =>
  linesOf(events).includes('approval.asked');

export function webhookBody(entries: WebhookEntries): Settings {
  const agents = linesOf(entries.agentIds);
  return {
    name: entries.name.trim(),
    url: entries.url.trim(),
    events: linesOf(entries.events) as WebhookEvent[],
    agentIds: agents.length > 0 ? agents : null,
    active: entries.active !== '',
    // Nobody gets links again by being told of approvals again.
    approvalLinks: entries.approvalLinks !== '' && isAskedToApprove(entries),
  };
}

export const webhookChanges = (before: WebhookEntries, entries: WebhookEntries): Partial<Settings> =>
  changedIn(webhookBody(before), webhookBody(entries));

/** Which field of the form shows an issue. */
export const webhookField = (path: string): string => path.split('.')[0] ?? path;
