import { MarkdownDocument } from '@parley/widget/markdown';
import { useId } from 'preact/hooks';
import { isAtLeast } from '../api/member.ts';
import { duration } from '../ui/duration.ts';
import { formatNumber } from '../ui/format.ts';
import { answerDifferences } from './answer-differences.ts';
import type { Outcome, Side } from './use-trials.ts';

interface QuestionRowProps {
  readonly question: string;
  readonly sides: readonly Side[];
  readonly outcomes: Partial<Record<Side, Outcome>> | undefined;
  readonly isAsked: boolean;
  /** Null while others are asked. */
  readonly onAsk: (() => void) | null;
  readonly onRemove: () => void;
}

const sideNames = { draft: 'Draft', live: 'Live' };

/** A question, and what was answered to it. */
export function QuestionRow({ question, sides, outcomes = {}, isAsked, onAsk, onRemove }: QuestionRowProps) {
  const id = useId();
  const isShown = isAsked || Object.keys(outcomes).length > 0;
  return (
    <article class="card" aria-labelledby={id}>
      <header class="card-header">
        <h2 id={id} class="row-name">
          {question}
        </h2>
        <div class="actions">
          {isAtLeast('agent') && (
            <button type="button" class="button small" disabled={onAsk === null} onClick={() => onAsk?.()}>
              Ask<span class="hidden"> {question}</span>
            </button>
          )}
          {isAtLeast('admin') && (
            <button type="button" class="button small" onClick={onRemove}>
              Remove<span class="hidden"> {question}</span>
            </button>
          )}
        </div>
      </header>
      {isShown && (
        <div class="columns saved-answers">
          {sides.map((side) => (
            <section key={side} aria-label={`${sideNames[side]}: ${question}`}>
              <h3>{sideNames[side]}</h3>
              {outcomes[side] ? <Answer outcome={outcomes[side]} /> : <p class="meta">Asking…</p>}
            </section>
          ))}
        </div>
      )}
      <Differences outcomes={outcomes} />
    </article>
  );
}

function Answer({ outcome }: { readonly outcome: Outcome }) {
  if ('problem' in outcome) return <p class="error">{outcome.problem}</p>;
  const { status, text, sources, durationMs, modelId, tokens } = outcome;
  return (
    <>
      {status === 'failed' || text === '' ? (
        <p class={status === 'failed' ? 'error' : undefined}>{text || 'It says nothing.'}</p>
      ) : (
        <div class="answer">
          <MarkdownDocument text={text} />
        </div>
      )}
      {status === 'waiting' && <p class="meta">It waits for an answer or an approval here.</p>}
      {sources.length > 0 && (
        <ul class="saved-sources">
          {sources.map(({ number, title, url }) => (
            <li key={number}>
              [{number}]{' '}
              {url === undefined ? (
                title
              ) : (
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {title}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="meta">
        {duration(durationMs)} · {modelId ?? 'no model'} · {formatNumber(tokens)} tokens
      </p>
    </>
  );
}

/** What the draft would change for visitors. */
function Differences({
  outcomes: { draft, live },
}: Pick<QuestionRowProps, 'outcomes'> & { readonly outcomes: Partial<Record<Side, Outcome>> }) {
  if (!draft || !live || 'problem' in draft || 'problem' in live) return null;
  const { length, time, gained, lost } = answerDifferences(draft, live);
  const told = [length, time].filter((each) => each !== null);
  if (told.length + gained.length + lost.length === 0)
    return (
      <p class="meta">
        {draft.text === live.text ? 'The same answer.' : 'Other words, as long, from the same sources.'}
      </p>
    );
  return (
    <ul class="saved-differences" aria-label="What the draft changes">
      {told.map((each) => (
        <li key={each} class="badge">
          {each}
        </li>
      ))}
      {gained.map((title) => (
        <li key={title} class="badge live">
          + {title}
        </li>
      ))}
      {lost.map((title) => (
        <li key={title} class="badge lost">
          − {title}
        </li>
      ))}
    </ul>
  );
}
