import type { DayUsageView, UsageView } from '@parley/protocol/settings/usage';
import { formatCost, formatDuration, formatNumber } from '../ui/format.ts';
import { Chart, type Series } from './chart.tsx';
import { compared } from './compared.ts';
import { causeWords } from './cause-words.ts';
import { totals } from './totals.ts';

interface UsageFiguresProps {
  readonly usage: UsageView;
  /** Of as many days before. */
  readonly before: UsageView;
  /** Every day of the period, also those on which nothing happened. */
  readonly days: readonly string[];
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
}

/** A period in figures, by day, by agent, and by why turns failed. */
export function UsageFigures({ usage, before, days, agents }: UsageFiguresProps) {
  const all = totals(usage.days);
  const byDay = Map.groupBy(usage.days, ({ day }) => day);
  const ofDays = days.map((day) => totals(byDay.get(day) ?? []));
  const together = new Map(usage.together.map((each) => [each.day, each]));
  const cost = usage.currency === null ? null : (value: number) => formatCost(value, usage.currency ?? 'USD');
  const series = (
    name: string,
    value: (day: (typeof ofDays)[number]) => number,
    tone: Series['tone'],
  ): Series => ({
    name,
    tone,
    values: ofDays.map(value),
  });
  const times = (
    name: string,
    tone: Series['tone'],
    value: (day: UsageView['together'][number]) => number | null,
  ) => ({
    name,
    tone,
    values: days.map((day) => {
      const known = together.get(day);
      return known ? value(known) : null;
    }),
  });
  return (
    <div class="stack">
      <Tiles
        all={all}
        before={totals(before.days)}
        days={days.length}
        costText={all.cost === null || !cost ? null : cost(all.cost)}
      />
      <div class="charts">
        <Chart
          title="Turns"
          days={days}
          format={formatNumber}
          series={[
            series('Completed', ({ completed }) => completed, 'main'),
            series('Failed', ({ failed }) => failed, 'danger'),
            series(
              'Stopped, waiting or running',
              ({ turns, completed, failed }) => turns - completed - failed,
              'quiet',
            ),
          ]}
        />
        <Chart
          title="Tokens"
          days={days}
          format={formatNumber}
          series={[
            series('Read by models', ({ inputTokens }) => inputTokens, 'main'),
            series('Written by models', ({ outputTokens }) => outputTokens, 'second'),
          ]}
        />
        {cost && (
          <Chart
            title="Cost"
            days={days}
            format={cost}
            series={[series('Cost', (day) => day.cost ?? 0, 'main')]}
          />
        )}
        <Chart
          title="Time to the first words"
          kind="lines"
          days={days}
          format={formatDuration}
          series={[
            times('Half of the turns', 'main', ({ firstDeltaMs }) => firstDeltaMs.p50),
            times('19 of 20', 'second', ({ firstDeltaMs }) => firstDeltaMs.p95),
          ]}
        />
        <Chart
          title="Time of a whole turn"
          kind="lines"
          days={days}
          format={formatDuration}
          series={[
            times('Half of the turns', 'main', ({ wholeTurnMs }) => wholeTurnMs.p50),
            times('19 of 20', 'second', ({ wholeTurnMs }) => wholeTurnMs.p95),
          ]}
        />
        <Chart
          title="Approvals"
          days={days}
          format={formatNumber}
          series={[series('Turns that asked for one', ({ approvals }) => approvals, 'main')]}
        />
        <Chart
          title="Unanswered questions"
          days={days}
          format={formatNumber}
          series={[series('No source answered', ({ unansweredQuestions }) => unansweredQuestions, 'danger')]}
        />
        <Chart
          title="Ratings"
          days={days}
          format={formatNumber}
          series={[
            series('Helpful', ({ ratedUp }) => ratedUp, 'main'),
            series('Not helpful', ({ ratedDown }) => ratedDown, 'danger'),
          ]}
        />
      </div>
      <Failures days={usage.days} />
      <ByAgent days={usage.days} agents={agents} cost={cost} />
    </div>
  );
}

type Totals = ReturnType<typeof totals>;

interface TilesProps {
  readonly all: Totals;
  readonly before: Totals;
  readonly days: number;
  readonly costText: string | null;
}

function Tiles({ all, before, days, costText }: TilesProps) {
  const ratings = all.ratedUp + all.ratedDown;
  const tiles = [
    [
      'Turns',
      formatNumber(all.turns),
      `${formatNumber(all.completed)} completed`,
      compared(all.turns, before.turns, days),
    ],
    [
      'Tokens',
      formatNumber(all.inputTokens + all.outputTokens),
      `${formatNumber(all.outputTokens)} of them written`,
      compared(all.inputTokens + all.outputTokens, before.inputTokens + before.outputTokens, days),
    ],
    [
      'Cost',
      costText ?? '–',
      all.unpricedTokens > 0 ? `without ${formatNumber(all.unpricedTokens)} tokens that have no price` : '',
      compared(all.cost ?? 0, before.cost ?? 0, days),
    ],
    [
      'Failed',
      formatNumber(all.failed),
      all.turns > 0 ? `${percent(all.failed / all.turns)} of the turns` : '',
      compared(all.failed, before.failed, days),
    ],
    [
      'Approvals',
      formatNumber(all.approvals),
      'turns that asked for one',
      compared(all.approvals, before.approvals, days),
    ],
    [
      'Unanswered questions',
      formatNumber(all.unansweredQuestions),
      'that no source answered',
      compared(all.unansweredQuestions, before.unansweredQuestions, days),
    ],
    [
      'Helpful',
      ratings > 0 ? percent(all.ratedUp / ratings) : '–',
      ratings === 1 ? 'of 1 rating' : `of ${formatNumber(ratings)} ratings`,
      '',
    ],
  ] as const;
  return (
    <dl class="tiles">
      {tiles.map(([name, value, about, change]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            {about && <span class="meta">{about}</span>}
            {change && <span class="meta">{change}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const percent = (share: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(share);

function Failures({ days }: { readonly days: readonly DayUsageView[] }) {
  const counts = new Map<string, number>();
  for (const { failures } of days)
    for (const { cause, count } of failures) counts.set(cause, (counts.get(cause) ?? 0) + count);
  if (counts.size === 0) return null;
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return (
    <section class="card" aria-labelledby="failures-heading">
      <h2 id="failures-heading">Why turns failed</h2>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Cause</th>
            <th scope="col">Turns</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(([cause, count]) => (
            <tr key={cause}>
              <th scope="row">
                {causeWords(cause)} <code>{cause}</code>
              </th>
              <td>{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ByAgentProps extends Pick<UsageFiguresProps, 'agents'> {
  readonly days: readonly DayUsageView[];
  readonly cost: ((value: number) => string) | null;
}

const columns = [
  'Agent',
  'Turns',
  'Failed',
  'Tokens',
  'Cost',
  'Approvals',
  'Unanswered',
  'Helpful',
  'Not helpful',
];

function ByAgent({ days, agents, cost }: ByAgentProps) {
  const groups = [...Map.groupBy(days, ({ agentId }) => agentId)].map(
    ([agentId, list]) => [agentId, totals(list)] as const,
  );
  if (groups.length === 0) return null;
  return (
    <section class="card" aria-labelledby="agents-heading">
      <h2 id="agents-heading">By agent</h2>
      <div class="wide-table" tabIndex={0} role="region" aria-label="Usage by agent">
        <table class="figures">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(([agentId, all]) => (
              <tr key={agentId}>
                <th scope="row">{agents.find(({ id }) => id === agentId)?.name ?? agentId}</th>
                <td>{formatNumber(all.turns)}</td>
                <td>{formatNumber(all.failed)}</td>
                <td>{formatNumber(all.inputTokens + all.outputTokens)}</td>
                <td>{all.cost === null || !cost ? '–' : cost(all.cost)}</td>
                <td>{formatNumber(all.approvals)}</td>
                <td>{formatNumber(all.unansweredQuestions)}</td>
                <td>{formatNumber(all.ratedUp)}</td>
                <td>{formatNumber(all.ratedDown)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
