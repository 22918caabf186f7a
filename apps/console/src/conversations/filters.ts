import type { ConversationStatus } from '@parley/protocol/settings/conversation';
import { signal } from '@preact/signals';

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

/** They stay while somebody reads a conversation and comes back. */
export const filters = signal<Filters>(noFilters);

export function filterQuery(tenantId: string, chosen: Filters): string {
  const named = Object.entries(chosen).filter(([, value]) => value !== '');
  return new URLSearchParams([['tenantId', tenantId], ...named]).toString();
}
