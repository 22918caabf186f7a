import { settingsPath } from '@parley/protocol/paths';
import type { UsageView } from '@parley/protocol/settings/usage';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { isAtLeast, tenant } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useAgents } from '../ui/use-agents.ts';
import { useForm } from '../ui/use-form.ts';
import { useAsking } from '../ui/use-asking.ts';
import { daysBefore, lastDays } from './period.ts';
import { Prices } from './prices.tsx';
import { UsageFigures } from './usage-figures.tsx';

const periods = [7, 30, 90] as const;

/** What the agents did, how quickly, and what it cost. */
export function Usage() {
  const of = tenant.value;
  return of ? (
    <UsageOf key={of.id} tenantId={of.id} />
  ) : (
    <Page title="Usage">
      <p class="notice">There are no agents yet.</p>
    </Page>
  );
}

interface Found {
  /** What they are the answer to. */
  readonly query: string;
  readonly days: number;
  readonly usage: UsageView;
  readonly before: UsageView;
}

function UsageOf({ tenantId }: { readonly tenantId: string }) {
  const agents = useAgents(tenantId);
  const { values, control } = useForm({ name: `usage of ${tenantId}`, initial: { agentId: '', days: '30' } });
  const { agentId } = values;
  const count = periods.find((each) => String(each) === values.days) ?? 30;
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const days = lastDays(count, Date.now());
  const queryOf = (asked: readonly string[]): string =>
    new URLSearchParams({
      tenantId,
      ...(agentId && { agentId }),
      from: asked[0] ?? '',
      to: asked.at(-1) ?? '',
    }).toString();
  const query = queryOf(days);
  const queryBefore = queryOf(daysBefore(days));
  const ask = useAsking(query);
  const load = useCallback(async () => {
    const isNews = ask();
    try {
      const [usage, before] = await Promise.all([
        call<UsageView>('GET', `/usage?${query}`),
        call<UsageView>('GET', `/usage?${queryBefore}`),
      ]);
      if (!isNews()) return;
      setFound({ query, days: count, usage, before });
      setProblem(null);
    } catch (error) {
      if (!isNews()) return;
      setProblem(sentenceOf(error));
      // What is shown until there is an answer is none to this query.
      setFound((shown) => (shown?.query === query ? shown : null));
    }
  }, [query, queryBefore, count, ask]);
  const round = revalidation.value;
  useEffect(() => {
    if (round !== null) void load();
  }, [load, round]);

  return (
    <Page
      title="Usage"
      lead="What your agents did, how quickly, and what it cost. Days are those of UTC."
      action={
        <a class="button" href={`${settingsPath}/usage?${query}&format=csv`} download>
          Download CSV
        </a>
      }
    >
      <form class="inline period" onSubmit={(event) => event.preventDefault()}>
        <Field label="Agent">
          <select {...control('agentId')}>
            <option value="">All agents</option>
            {agents.map(({ id, name = id }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Period">
          <select {...control('days')}>
            {periods.map((each) => (
              <option key={each} value={String(each)}>
                Last {each} days
              </option>
            ))}
          </select>
        </Field>
      </form>
      {problem && <Problem>{problem}</Problem>}
      {found === null ? (
        !problem && <Loading />
      ) : (
        <>
          <UsageFigures
            usage={found.usage}
            before={found.before}
            days={lastDays(found.days, Date.parse(found.usage.to))}
            agents={agents}
          />
          {isAtLeast('admin') && <Prices used={found.usage.models} onSaved={load} />}
        </>
      )}
    </Page>
  );
}
