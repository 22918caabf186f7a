import type { DayUsageView } from '@parley/protocol/settings/usage';

type Counted = Pick<
  DayUsageView,
  | 'turns'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'inputTokens'
  | 'outputTokens'
  | 'cost'
  | 'unpricedTokens'
  | 'approvals'
  | 'unansweredQuestions'
  | 'ratedUp'
  | 'ratedDown'
>;

const nothing: Counted = {
  turns: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: null,
  unpricedTokens: 0,
  approvals: 0,
  unansweredQuestions: 0,
  ratedUp: 0,
  ratedDown: 0,
};

/** Everything that can be added up. A cost is known when that of any part is. */
export const totals = (days: readonly Counted[]): Counted =>
  days.reduce(
    (sum, day) => ({
      turns: sum.turns + day.turns,
      completed: sum.completed + day.completed,
      failed: sum.failed + day.failed,
      cancelled: sum.cancelled + day.cancelled,
      inputTokens: sum.inputTokens + day.inputTokens,
      outputTokens: sum.outputTokens + day.outputTokens,
      cost: day.cost === null ? sum.cost : (sum.cost ?? 0) + day.cost,
      unpricedTokens: sum.unpricedTokens + day.unpricedTokens,
      approvals: sum.approvals + day.approvals,
      unansweredQuestions: sum.unansweredQuestions + day.unansweredQuestions,
      ratedUp: sum.ratedUp + day.ratedUp,
      ratedDown: sum.ratedDown + day.ratedDown,
    }),
    nothing,
  );
