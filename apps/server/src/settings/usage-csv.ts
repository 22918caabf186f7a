import type { DayUsageView, UsageView } from '@parley/protocol/settings/usage';

type Column = readonly [heading: string, value: (usage: DayUsageView) => string | number | null];

/** Usage as a table for spreadsheets (RFC 4180): a line for each day and agent. */
export function usageCsv({ days, currency }: UsageView, nameOf: (agentId: string) => string): string {
  const columns: Column[] = [
    ['day', ({ day }) => day],
    ['agent_id', ({ agentId }) => agentId],
    ['agent', ({ agentId }) => nameOf(agentId)],
    ['turns', ({ turns }) => turns],
    ['completed', ({ completed }) => completed],
    ['failed', ({ failed }) => failed],
    ['cancelled', ({ cancelled }) => cancelled],
    ['input_tokens', ({ inputTokens }) => inputTokens],
    ['output_tokens', ({ outputTokens }) => outputTokens],
    ['cost', ({ cost }) => cost],
    ['currency', () => currency],
    ['unpriced_tokens', ({ unpricedTokens }) => unpricedTokens],
    ['first_delta_p50_ms', ({ firstDeltaMs }) => firstDeltaMs.p50],
    ['first_delta_p95_ms', ({ firstDeltaMs }) => firstDeltaMs.p95],
    ['whole_turn_p50_ms', ({ wholeTurnMs }) => wholeTurnMs.p50],
    ['whole_turn_p95_ms', ({ wholeTurnMs }) => wholeTurnMs.p95],
    ['approvals', ({ approvals }) => approvals],
    ['rated_up', ({ ratedUp }) => ratedUp],
    ['rated_down', ({ ratedDown }) => ratedDown],
    ['failures', ({ failures }) => failures.map(({ cause, count }) => `${cause} ${count}`).join('; ')],
    // Behind the columns that were there before it, which somebody may read by their place.
    ['unanswered_questions', ({ unansweredQuestions }) => unansweredQuestions],
  ];
  const lines = [
    columns.map(([heading]) => heading),
    ...days.map((usage) => columns.map(([, value]) => value(usage))),
  ];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // A spreadsheet would run what begins like a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
