import { setImmediate } from 'node:timers/promises';
import type { Prices } from '@parley/protocol/settings/prices';
import type { DayUsageView, UsageView } from '@parley/protocol/settings/usage';
import { dayMs } from '../store/day-ms.ts';
import type { DayUsage, LatencyOfAgent, UsageStore } from '../store/usage-store.ts';
import { costOf } from './cost.ts';

interface UsageRequest {
  readonly agentIds: readonly string[];
  readonly prices: Prices | null;
  /** The first moments of the first and of the last day. */
  readonly from: number;
  readonly to: number;
}

/** What agents did and used, read day by day: between two days everybody else has a turn. */
export async function usageOf(
  store: UsageStore,
  { agentIds, prices, from, to }: UsageRequest,
): Promise<UsageView> {
  const days: DayUsageView[] = [];
  const together: UsageView['together'] = [];
  const tokens = new Map<string, number>();
  for (let at = from; at <= to; at += dayMs) {
    const day = dayOf(at);
    const usage = await store.readUsage({ agentIds, from: at, before: at + dayMs });
    for (const agentId of agentIds) {
      const counted = usageOfAgent(usage, agentId, prices);
      if (counted) days.push({ day, agentId, ...counted });
    }
    // Of one agent alone there is no other.
    const ofAll = usage.latencies.length === 1 ? usage.latencies[0] : usage.latencies.find(isOfAll);
    if (ofAll) together.push({ day, ...latencyView(ofAll) });
    for (const { modelId, inputTokens, outputTokens } of usage.turns)
      if (modelId !== null && inputTokens + outputTokens > 0)
        tokens.set(modelId, (tokens.get(modelId) ?? 0) + inputTokens + outputTokens);
    await setImmediate();
  }
  const models = [...tokens].map(([modelId, used]) => ({
    modelId,
    tokens: used,
    priced: prices?.models.some((each) => each.modelId === modelId) ?? false,
  }));
  return { from: dayOf(from), to: dayOf(to), currency: prices?.currency ?? null, days, together, models };
}

const isOfAll = ({ agentId }: LatencyOfAgent): boolean => agentId === null;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function usageOfAgent(
  usage: DayUsage,
  agentId: string,
  prices: Prices | null,
): Omit<DayUsageView, 'day' | 'agentId'> | null {
  const ofAgent = <Each extends { readonly agentId: string | null }>(list: readonly Each[]) =>
    list.filter((each) => each.agentId === agentId);
  const turns = ofAgent(usage.turns);
  const rated = ofAgent(usage.ratings);
  const unanswered = ofAgent(usage.unanswered);
  if (turns.length === 0 && rated.length === 0 && unanswered.length === 0) return null;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const ended = (status: string) =>
    sum(turns.filter((each) => each.status === status).map(({ turns: count }) => count));
  const costs = turns.map((each) => costOf(prices, each));
  const known = costs.filter((cost) => cost !== null);
  const [latency = none] = ofAgent(usage.latencies);
  return {
    turns: sum(turns.map(({ turns: count }) => count)),
    completed: ended('completed'),
    failed: ended('failed'),
    cancelled: ended('cancelled'),
    inputTokens: sum(turns.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(turns.map(({ outputTokens }) => outputTokens)),
    cost: known.length === 0 ? null : sum(known),
    unpricedTokens: sum(
      turns.map((each, index) => (costs[index] === null ? each.inputTokens + each.outputTokens : 0)),
    ),
    ...latencyView(latency),
    failures: ofAgent(usage.failures).map(({ name, count }) => ({ cause: name, count })),
    approvals: sum(ofAgent(usage.approvals).map(({ count }) => count)),
    unansweredQuestions: sum(unanswered.map(({ count }) => count)),
    ratedUp: sum(rated.filter(({ name }) => name === 'up').map(({ count }) => count)),
    ratedDown: sum(rated.filter(({ name }) => name === 'down').map(({ count }) => count)),
  };
}

const none: Pick<LatencyOfAgent, 'firstDelta' | 'wholeTurn'> = {
  firstDelta: { p50: null, p95: null },
  wholeTurn: { p50: null, p95: null },
};

const latencyView = ({ firstDelta, wholeTurn }: typeof none) => ({
  firstDeltaMs: firstDelta,
  wholeTurnMs: wholeTurn,
});
