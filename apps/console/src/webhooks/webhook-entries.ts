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

/** What was changed since it was shown as `before`, made to the webhook as it is `now`: others may have changed it, too. */
export function webhookChanges(
  before: WebhookEntries,
  entries: WebhookEntries,
  now: WebhookEntries,
): Partial<Settings> {
  const changed = { ...now };
  for (const [field, entry] of Object.entries(entries)) if (entry !== before[field]) changed[field] = entry;
  // Each of them by itself; where two have taken all of them away, as this form shows them.
  changed.events = mergedLines(before.events, entries.events, now.events) || entries.events;
  // None are all: no list to add to, and nothing that two make of it who take agents away.
  if (before.agentIds && entries.agentIds && now.agentIds)
    changed.agentIds = mergedLines(before.agentIds, entries.agentIds, now.agentIds) || entries.agentIds;
  return changedIn(webhookBody(now), webhookBody(changed));
}

/** The lines of `now` with those that were added, and without those that were taken away. */
function mergedLines(before: string, after: string, now: string): string {
  const [was, is, stored] = [linesOf(before), linesOf(after), linesOf(now)];
  const added = is.filter((line) => !was.includes(line) && !stored.includes(line));
  const left = stored.filter((line) => is.includes(line) || !was.includes(line));
  return [...left, ...added].join('\n');
}

/** Which field of the form shows an issue. */
export const webhookField = (path: string): string => path.split('.')[0] ?? path;
