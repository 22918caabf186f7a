import type { SourceView } from '@parley/protocol/settings/source';
import { useState } from 'preact/hooks';
import { isAtLeast } from '../api/member.ts';
import { countOf } from '../ui/count-of.ts';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Time } from '../ui/time.tsx';
import { EditSource } from './edit-source.tsx';
import { keptSource } from './kept-source.ts';

interface SourceRowProps {
  readonly source: SourceView;
  readonly onRead: () => void;
  readonly onRemove: () => void;
  readonly onChanged: () => Promise<void>;
}

const kinds: { readonly [Kind in SourceView['kind']]: string } = {
  website: 'Website',
  faq: 'Questions',
  text: 'Text',
  file: 'File',
};

/** One source: what it is, how far its reading is, and what could not be read. */
export function SourceRow({ source, onRead, onRemove, onChanged }: SourceRowProps) {
  const { id, name, kind, reading } = source;
  const mayChange = isAtLeast('admin');
  /** Whether it is being changed, and what has the focus then. What is kept of a change goes on by itself. */
  const [edit, setEdit] = useState({ isOpen: keptSource(id) !== null, isFocused: false });
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
            <summary class="meta">{countOf(reading.problemCount, 'remark')}</summary>
            <ul class="meta">
              {reading.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {state && <span class={`badge ${isBusy ? '' : 'warn'}`}>{state}</span>}
      {mayChange && edit.isOpen && (
        <EditSource
          source={source}
          isFocused={edit.isFocused}
          onSaved={onChanged}
          onClose={(hadFocus) => setEdit({ isOpen: false, isFocused: hadFocus })}
        />
      )}
      {mayChange && !edit.isOpen && (
        <div class="actions">
          <button
            type="button"
            class="button small"
            aria-label={`Edit ${name}`}
            ref={edit.isFocused ? focusOnMount : null}
            onClick={() => setEdit({ isOpen: true, isFocused: true })}
          >
            Edit
          </button>
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
