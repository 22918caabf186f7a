/** What is looked for, by the names of the query. An empty text leaves a filter out. */
export const noFilters = { search: '', agentId: '', status: '', rating: '', from: '', to: '' };

export type Filters = typeof noFilters;

export function filterQuery(tenantId: string, chosen: Filters): string {
  const named = Object.entries(chosen).filter(([, value]) => value !== '');
  return new URLSearchParams([['tenantId', tenantId], ...named]).toString();
}
