import type { DraftView } from '@parley/protocol/settings/revision';
import { useLayoutEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Problem } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { changeCount } from './change-count.ts';
import { fieldNames } from './field-name.ts';
import { orReload } from './or-reload.ts';

const PublishDialog = lazy(async () => (await import('./publish-dialog.tsx')).PublishDialog);

interface DraftBarProps {
  readonly draft: DraftView;
  readonly onChanged: () => Promise<void>;
}

/** What visitors do not have yet, wherever one is in the agent. */
export function DraftBar({ draft, onChanged }: DraftBarProps) {
  const [publishing, setPublishing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { agentId, changes, conflicts, author, changedAt } = draft;
  // Takes away what was said of another draft. After a refusal this runs when the refused draft’s successor is drawn, which is
  // before the refusal’s sentence is set; a plain effect could run after that, and take the sentence away.
  useLayoutEffect(() => setProblem(null), [changedAt]);
  const isThere = changes.length > 0;
  useLayoutEffect(() => {
    if (!isThere) setPublishing(false);
  }, [isThere]);
  if (!isThere) return problem && <Problem>{problem}</Problem>;
  const count = changeCount(changes.length);
  const discard = async () => {
    const text = `${fieldNames(changes.map(({ field }) => field))}: what visitors have stays as it is.`;
    if (!(await confirm({ title: `Discard ${count}?`, text, action: 'Discard draft' }))) return;
    setProblem(null);
    try {
      await orReload(call('DELETE', `/agents/${agentId}/draft?changedAt=${changedAt}`), onChanged);
      await onChanged();
      announce('The draft was discarded.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const publish = () => {
    setProblem(null);
    setPublishing(true);
  };
  return (
    <section class="draft-bar" aria-label="Draft">
      <div>
        <p class="row-name" role="status">
          Draft: {count} not published
        </p>
        <p class="meta">
          {fieldNames(changes.map(({ field }) => field))}
          {changedAt !== null && (
            <>
              {' · '}
              {author?.name ?? 'Automation'}, <Time at={changedAt} />
            </>
          )}
        </p>
        {conflicts.length > 0 && (
          <p class="meta">Changed live meanwhile, too: {fieldNames(conflicts)}. Publishing shows both.</p>
        )}
      </div>
      {isAtLeast('admin') && (
        <div class="actions">
          <button type="button" class="button" onClick={() => void discard()}>
            Discard
          </button>
          <button type="button" class="button primary" onClick={publish}>
            Publish…
          </button>
        </div>
      )}
      {problem && <Problem>{problem}</Problem>}
      {publishing && (
        <PublishDialog draft={draft} onChanged={onChanged} onClose={() => setPublishing(false)} />
      )}
    </section>
  );
}
