import type { LoggedEvent, TurnView } from '@parley/protocol/settings/conversation';
import { useState } from 'preact/hooks';
import { formatCost, formatDuration, formatNumber } from '../ui/format.ts';
import { revisionOf, type Step, stepsOf } from './turn-steps.ts';
import { Json } from './turn-part.tsx';

interface TurnFactsProps {
  readonly number: number;
  readonly events: readonly LoggedEvent[];
  readonly facts: TurnView | undefined;
  readonly currency: string | null;
}

/** What a turn took: time, tokens, money, and with which settings. Its events are behind it. */
export function TurnFacts({ number, events, facts, currency }: TurnFactsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <aside class="turn-facts meta" aria-label={`What turn ${number} took`}>
      {facts && <Figures facts={facts} revision={revisionOf(events)} currency={currency} />}
      <ol class="steps">
        {stepsOf(events).map((step, index) => (
          <li key={index}>
            <span>{step.kind === 'model' ? 'Model' : <code>{step.name}</code>}</span>
            <span>{said(step)}</span>
          </li>
        ))}
      </ol>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Events</summary>
        {isOpen && <Events events={events} />}
      </details>
    </aside>
  );
}

interface FiguresProps {
  readonly facts: TurnView;
  readonly revision: number | null;
  readonly currency: string | null;
}

function Figures({ facts, revision, currency }: FiguresProps) {
  const { startedAt, firstDeltaAt, endedAt, inputTokens, outputTokens, cost, modelId } = facts;
  const since = (at: string | null) =>
    at === null ? '–' : formatDuration(Date.parse(at) - Date.parse(startedAt));
  const figures = [
    ['Whole turn', since(endedAt)],
    ['First words', since(firstDeltaAt)],
    ['Tokens', `${formatNumber(inputTokens)} in, ${formatNumber(outputTokens)} out`],
    ['Cost', cost === null || currency === null ? 'No price is known' : formatCost(cost, currency)],
    ['Model', modelId ?? '–'],
    ['Revision', revision ?? '–'],
  ];
  return (
    <dl>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function said({ tookMs, tokens, outcome }: Step): string {
  const took = tookMs === null ? 'no end' : formatDuration(tookMs);
  const used = tokens && `${formatNumber(tokens.input + tokens.output)} tokens`;
  return [took, used, outcome === 'completed' ? null : outcome].filter(Boolean).join(' · ');
}

/** Events, with the many pieces of a text as one line each. */
function Events({ events }: { readonly events: readonly LoggedEvent[] }) {
  const groups: { readonly first: LoggedEvent; count: number }[] = [];
  for (const logged of events) {
    const last = groups.at(-1);
    const { type } = logged.event;
    if (last && type.endsWith('.appended') && last.first.event.type === type) last.count += 1;
    else groups.push({ first: logged, count: 1 });
  }
  return (
    <ol class="events">
      {groups.map(({ first, count }) => (
        <li key={first.index}>
          <Event logged={first} count={count} />
        </li>
      ))}
    </ol>
  );
}

function Event({
  logged: { index, event },
  count,
}: {
  readonly logged: LoggedEvent;
  readonly count: number;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {index} <code>{event.type}</code>
        {count > 1 && ` × ${count}`}
      </summary>
      {isOpen && <Json value={event} label={event.type} />}
    </details>
  );
}
