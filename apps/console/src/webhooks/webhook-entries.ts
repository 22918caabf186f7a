import type { WebhookEvent, WebhookView } from '@parley/protocol/settings/webhook';

export interface WebhookEntries {
  [field: string]: string;
  name: string;
  url: string;
  /** One a line. */
  events: string;
  /** One a line; empty: all. */
  agentIds: string;
  active: string;
}

type Settings = Pick<WebhookView, 'name' | 'url' | 'events' | 'agentIds' | 'active'>;

export const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

export const webhookEntries = ({ name, url, events, agentIds, active }: Settings): WebhookEntries => ({
  name,
  url,
  events: events.join('\n'),
  agentIds: (agentIds ?? []).join('\n'),
  active: active ? 'yes' : '',
});

export const newWebhook = webhookEntries({
  name: '',
  url: '',
  events: ['conversation.begun', 'conversation.ended', 'message'],
  agentIds: null,
  active: true,
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

export function webhookBody({ name, url, events, agentIds, active }: WebhookEntries): Settings {
  const agents = linesOf(agentIds);
  return {
    name: name.trim(),
    url: url.trim(),
    events: linesOf(events) as WebhookEvent[],
    agentIds: agents.length > 0 ? agents : null,
    active: active !== '',
  };
}

/** Which field of the form shows an issue. */
export const webhookField = (path: string): string => path.split('.')[0] ?? path;
