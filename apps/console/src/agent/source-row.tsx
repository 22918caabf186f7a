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
  const isBusy = reading.status === 'waiting' || reading.status === 'reading';
  return (
    <li>
      <div>
        <p class="row-name">{name}</p>
        <p class="meta">
          {kinds[kind]} · {stateOf(source)}
          {!isBusy && reading.readAt !== null && (
            <>
              , <Time at={reading.readAt} />
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

function stateOf({ reading: { status, pages, passages } }: SourceView): string {
  const found = `${countOf(pages, 'page')}, ${countOf(passages, 'passage')}`;
  if (status === 'waiting') return 'waits to be read';
  if (status === 'reading') return `being read, ${found} so far`;
  if (status === 'failed')
    return pages === 0 ? 'could not be read' : `could not be read to its end, ${found}`;
  if (passages === 0) return 'nothing in it can be found';
  return found;
}
