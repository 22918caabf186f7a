import type { DraftView, RevisionView } from '@parley/protocol/settings/revision';
import { useId, useState } from 'preact/hooks';
import { Time } from '../ui/time.tsx';
import { Comparison } from './comparison.tsx';
import { fieldNames } from './field-name.ts';

interface RevisionProps {
  readonly revision: RevisionView;
  readonly draft: DraftView;
  readonly onChanged: () => Promise<void>;
}

/** One revision in the list, and on demand what it differs in. */
export function Revision({ revision, draft, onChanged }: RevisionProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { revision: number, at, author, note, fields } = revision;
  const isLive = number === draft.live;
  const isSame = isLive && draft.changes.length === 0;
  return (
    <article class="revision" aria-labelledby={id}>
      <div class="revision-line">
        <div>
          <h2 id={id} class="row-name">
            Revision {number} {isLive && <span class="badge live">Live</span>}
          </h2>
          {note !== null && <p>{note}</p>}
          <p class="meta">
            {author?.name ?? 'Automation'}, <Time at={at} />
            {fields.length > 0 && ` · ${fieldNames(fields)}`}
          </p>
        </div>
        {!isSame && (
          <button type="button" class="button small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Close' : 'Compare'}
            <span class="hidden"> revision {number}</span>
          </button>
        )}
      </div>
      {open && !isSame && <Comparison revision={number} draft={draft} onChanged={onChanged} />}
    </article>
  );
}
