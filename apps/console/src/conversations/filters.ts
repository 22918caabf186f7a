import type { ConversationStatus } from '@parley/protocol/settings/conversation';
import { effect, signal } from '@preact/signals';
import { keepEntries, keptEntries } from '../ui/kept-entries.ts';

/** What is looked for. An empty text leaves a filter out. */
export interface Filters {
  readonly search: string;
  readonly agentId: string;
  readonly status: ConversationStatus | '';
  readonly rating: 'up' | 'down' | '';
  readonly from: string;
  readonly to: string;
}

export const noFilters: Filters = { search: '', agentId: '', status: '', rating: '', from: '', to: '' };

const form = 'conversations';

/** They stay while somebody reads a conversation and comes back. */
export const filters = signal<Filters>({ ...noFilters, ...keptEntries(form) });
effect(() =>
  keepEntries(form, Object.fromEntries(Object.entries(filters.value).filter(([, value]) => value !== ''))),
);

export function filterQuery(tenantId: string, chosen: Filters): string {
  const named = Object.entries(chosen).filter(([, value]) => value !== '');
  return new URLSearchParams([['tenantId', tenantId], ...named]).toString();
}
