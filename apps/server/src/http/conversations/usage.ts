import { maxUsageDays } from '@parley/protocol/settings/usage';
import { agentsInScope } from '../../settings/agents-in-scope.ts';
import { invalid } from '../../settings/settings-error.ts';
import { storedPrices } from '../../settings/stored-prices.ts';
import { usageCsv } from '../../settings/usage-csv.ts';
import { usageOf } from '../../settings/usage.ts';
import { dayMs } from '../../store/day-ms.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../handlers.ts';

const defaultDays = 30;
const byteOrderMark = '\ufeff';

/** What agents did and used. */
export function usageHandlers(store: Store): Handlers<'readUsage'> {
  return {
    async readUsage({ response, principal, query }) {
      const { tenantId, agents } = await agentsInScope(store.settings, principal, query);
      const to = query.to === undefined ? Math.floor(Date.now() / dayMs) * dayMs : Date.parse(query.to);
      const from = query.from === undefined ? to - (defaultDays - 1) * dayMs : Date.parse(query.from);
      if (from > to) throw invalid(['from'], 'The first day is after the last.');
      if (to - from >= maxUsageDays * dayMs) throw invalid(['from'], `Ask for ${maxUsageDays} days at most.`);
      const tenant = await store.settings.tenants.get(tenantId);
      const usage = await usageOf(store, {
        agentIds: agents.map(({ id }) => id),
        prices: storedPrices(tenant?.prices),
        from,
        to,
      });
      if (query.format === 'json') return void response.json(usage);
      const names = new Map(agents.map(({ id, name }) => [id, name]));
      response.setHeader('content-type', 'text/csv; charset=utf-8');
      const name = `usage-${usage.from}-${usage.to}.csv`;
      response.setHeader('content-disposition', `attachment; filename="${name}"`);
      const csv = usageCsv(usage, (agentId) => names.get(agentId) ?? agentId);
      // Excel takes a file without the mark for one of its own encoding; a program would find the mark in the first heading.
      response.send(principal.kind === 'member' ? `${byteOrderMark}${csv}` : csv);
    },
  };
}
