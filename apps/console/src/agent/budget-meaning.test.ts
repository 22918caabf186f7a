import { dayUsageSchema } from '@parley/protocol/settings/usage';
import { expect, test } from 'vitest';
import { averagesOf, budgetMeaning } from './budget-meaning.ts';

const none = { p50: null, p95: null };
const day = dayUsageSchema.parse({
  day: '2026-08-01',
  agentId: 'agent_1',
  turns: 30,
  completed: 30,
  failed: 0,
  cancelled: 0,
  inputTokens: 50_000,
  outputTokens: 10_000,
  cost: 0.12,
  unpricedTokens: 0,
  firstDeltaMs: none,
  wholeTurnMs: none,
  failures: [],
  approvals: 0,
  unansweredQuestions: 0,
  ratedUp: 0,
  ratedDown: 0,
});

test('a day’s tokens are conversations by what the agent’s own took, and money by what they cost', () => {
  const averages = averagesOf(
    { days: [day], currency: 'EUR' },
    [{ turns: 2 }, { turns: 4 }, { turns: 0 }],
    '',
  );
  expect(averages).toMatchObject({ turns: 3, tokens: 2_000, isMeasured: true });
  const said = budgetMeaning(600_000, averages);
  expect(said).toContain('600 thousand tokens are about 100 conversations a day');
  expect(said).toContain('3 messages with 2,000 tokens each');
  expect(said).toMatch(/at most €1\.2\d? a day/);
  expect(budgetMeaning(1_000, averages)).toContain('less than one conversation a day');
});

test('of an agent that few have spoken to it says what it assumes', () => {
  const few = averagesOf({ days: [{ ...day, turns: 3 }], currency: null }, [{ turns: 3 }], 'x'.repeat(2_000));
  expect(few).toMatchObject({ turns: 4, tokens: 3_000, isMeasured: false });
  const said = budgetMeaning(12_000, few);
  expect(said).toContain('about 1 conversation a day: if one has 4 messages with 3,000 tokens each');
  expect(said).toContain('no figures of its own yet');
  expect(said).not.toContain('prices');
});
