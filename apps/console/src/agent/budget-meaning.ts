import type { ConversationView } from '@parley/protocol/settings/conversation';
import type { UsageView } from '@parley/protocol/settings/usage';

/** What a conversation takes, and where that is known from. */
interface Averages {
  readonly turns: number;
  readonly tokens: number;
  /** Of a million tokens, in the tenant's currency; null: their models have no price. */
  readonly cost: number | null;
  readonly currency: string | null;
  readonly isMeasured: boolean;
}

/** Taken of an agent that nobody has spoken to. */
const usualTurns = 4;
const usualTokensBesideInstructions = 2_500;
const charactersPerToken = 4;
/** Fewer turns tell nothing. */
const leastTurns = 20;

/** Of the agent itself, where it has been used enough; else what agents usually take. */
export function averagesOf(
  usage: Pick<UsageView, 'days' | 'currency'>,
  conversations: readonly Pick<ConversationView, 'turns'>[],
  instructions: string,
): Averages {
  const sum = (of: (day: UsageView['days'][number]) => number) =>
    usage.days.reduce((total, day) => total + of(day), 0);
  const turns = sum((day) => day.turns);
  const tokens = sum((day) => day.inputTokens + day.outputTokens);
  const priced = tokens - sum((day) => day.unpricedTokens);
  const cost = priced > 0 ? (sum((day) => day.cost ?? 0) / priced) * 1_000_000 : null;
  const { currency } = usage;
  const held = conversations.filter((each) => each.turns > 0);
  if (turns >= leastTurns && tokens > 0 && held.length > 0) {
    const perConversation = held.reduce((total, each) => total + each.turns, 0) / held.length;
    return { turns: perConversation, tokens: tokens / turns, cost, currency, isMeasured: true };
  }
  const each = usualTokensBesideInstructions + instructions.length / charactersPerToken;
  return { turns: usualTurns, tokens: each, cost, currency, isMeasured: false };
}

/** What a day's tokens are, in words. */
export function budgetMeaning(tokensPerDay: number, averages: Averages): string {
  const { turns, tokens, cost, currency, isMeasured } = averages;
  const conversations = tokensPerDay / (turns * tokens);
  const count =
    conversations < 1
      ? 'less than one conversation'
      : `about ${rounded(conversations)} conversation${rounded(conversations) === '1' ? '' : 's'}`;
  const each = `${turns.toLocaleString(undefined, { maximumFractionDigits: 1 })} messages with ${rounded(tokens)} tokens each`;
  const why = isMeasured
    ? `lately, one of this agent’s had ${each}`
    : `if one has ${each}: instructions, what was said before, what is looked up, and the answer. This agent has no figures of its own yet`;
  const most =
    cost !== null && currency !== null
      ? ` At your prices that is at most ${new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumSignificantDigits: 2 }).format((tokensPerDay / 1_000_000) * cost)} a day.`
      : '';
  return `${spoken.format(tokensPerDay)} tokens are ${count} a day: ${why}.${most}`;
}

/** 50 million, where eight digits are hard to read. */
const spoken = new Intl.NumberFormat(undefined, { notation: 'compact', compactDisplay: 'long' });

/** Two digits that mean something. */
const rounded = (value: number): string =>
  new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 }).format(value);
