import type { SourceView } from '@parley/protocol/settings/source';
import { isAtLeast } from '../api/member.ts';
import { Time } from '../ui/time.tsx';
import { countOf } from '../ui/count-of.ts';

interface SourceRowProps {
  readonly source: SourceView;
  readonly onRead: () => void;
  readonly onRemove: () => void;
}

const kinds: { readonly [Kind in SourceView['kind']]: string } = {
  website: 'Website',
  faq: 'Questions',
  text: 'Text',
  file: 'File',
};

/** One source: what it is, how far its reading is, and what could not be read. */
export function SourceRow({ source, onRead, onRemove }: SourceRowProps) {
  const { name, kind, reading } = source;
  const found = foundIn(source);
  const state = stateOf(source);
  const isBusy = reading.status === 'waiting' || reading.status === 'reading';
  return (
    <li>
      <div class="row-about">
        <p class="row-name">{name}</p>
        <p class="meta">
          {kinds[kind]}
          {found !== '' && ` · ${found}`}
          {!isBusy && reading.readAt !== null && (
            <>
              {' · '}
              <Time at={reading.readAt} />
            </>
          )}
        </p>
        {reading.problems.length > 0 && (
          <details>
            <summary class="meta">
              {reading.problems.length === 1 ? '1 remark' : `${reading.problems.length} remarks`}
            </summary>
            <ul class="meta">
              {reading.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {state && <span class={`badge ${isBusy ? '' : 'warn'}`}>{state}</span>}
      {isAtLeast('admin') && (
        <div class="actions">
          {kind === 'website' && (
            <button
              type="button"
              class="button small"
              aria-label={`Read again: ${name}`}
              disabled={isBusy}
              onClick={onRead}
            >
              Read again
            </button>
          )}
          <button
            type="button"
            class="button small danger-quiet"
            aria-label={`Remove ${name}`}
            onClick={onRemove}
          >
            Remove
          </button>
        </div>
      )}
    </li>
  );
}

function foundIn({ reading: { pages, passages } }: SourceView): string {
  return pages === 0 ? '' : `${countOf(pages, 'page')}, ${countOf(passages, 'passage')}`;
}

/** What somebody has to know of it; undefined: that it was read is what is expected. */
function stateOf({ reading: { status, pages, passages } }: SourceView): string | undefined {
  if (status === 'waiting') return 'Waits to be read';
  if (status === 'reading') return 'Being read';
  if (status === 'failed') return pages === 0 ? 'Could not be read' : 'Not read to its end';
  if (passages === 0) return 'Nothing in it can be found';
  return undefined;
}
