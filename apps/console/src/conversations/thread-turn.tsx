import type { Turn } from '@parley/conversation';
import type { LoggedEvent, TurnView } from '@parley/protocol/settings/conversation';
import { SaidAt } from './said-at.tsx';
import { SentFile } from './sent-file.tsx';
import { TurnFacts } from './turn-facts.tsx';
import { failureOf } from './turn-steps.ts';
import { TurnPartView } from './turn-part.tsx';

interface ThreadTurnProps {
  readonly turn: Turn;
  readonly number: number;
  readonly agentName: string | undefined;
  readonly events: readonly LoggedEvent[];
  readonly facts: TurnView | undefined;
  readonly currency: string | null;
}

/** What was said in a turn, and beside it what happened. */
export function ThreadTurn({ turn, number, agentName = 'Agent', events, facts, currency }: ThreadTurnProps) {
  const { user, parts, status, error, startedAt } = turn;
  const cause = failureOf(events);
  const files = user?.parts.filter((part) => part.type === 'file') ?? [];
  return (
    <li class="exchange">
      <section class="said" aria-label={`Turn ${number}`}>
        {user && (
          <div class="bubble" dir="auto">
            <span class="hidden">{user.author?.name ?? 'Visitor'}: </span>
            {user.text}
            {files.map((file, index) => (
              <SentFile key={index} {...file} />
            ))}
          </div>
        )}
        <p class="meta speaker">
          {turn.author?.name ?? agentName} · <SaidAt at={startedAt} />
        </p>
        {parts.map((part, index) => (
          <TurnPartView key={index} part={part} />
        ))}
        {status === 'failed' && (
          <div class="notice problem">
            <p>{error?.message ?? 'There was no answer.'}</p>
            {cause !== null && <p class="meta">{cause}</p>}
          </div>
        )}
        {status === 'cancelled' && <p class="meta">The answer was stopped.</p>}
        {status === 'running' && <p class="meta">The agent is answering.</p>}
      </section>
      <TurnFacts number={number} events={events} facts={facts} currency={currency} />
    </li>
  );
}
