import type { ComparedRevision, DraftView } from '@parley/protocol/settings/revision';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { useAsking } from '../ui/use-asking.ts';
import { changeCount } from './change-count.ts';
import { ChangeList } from './change-list.tsx';
import { orReload } from './or-reload.ts';

interface ComparisonProps {
  readonly revision: number;
  readonly draft: DraftView;
  readonly onChanged: () => Promise<void>;
}

/** What a revision differs in from live, or from the draft, and how it comes back. */
export function Comparison({ revision, draft, onChanged }: ComparisonProps) {
  const { agentId, live, changes, changedAt } = draft;
  const hasDraft = changes.length > 0;
  const [wanted, setWanted] = useState(live === revision ? 'draft' : 'live');
  const [compared, setCompared] = useState<ComparedRevision | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const compareWith = hasDraft ? wanted : 'live';
  const ask = useAsking(`${revision} ${compareWith}`);
  // Also when somebody is back whose session had ended, or the service is.
  const round = revalidation.value;
  useEffect(() => {
    if (round === null) return;
    const isNews = ask();
    setCompared(null);
    setUnread(null);
    call<ComparedRevision>('GET', `/agents/${agentId}/revisions/${revision}?compareWith=${compareWith}`).then(
      (answer) => isNews() && setCompared(answer),
      (error: unknown) => isNews() && setUnread(sentenceOf(error)),
    );
  }, [agentId, revision, compareWith, live, changedAt, round, ask]);
  // Takes away what was said of another draft. After a refusal this runs when the refused draft’s successor is drawn, which is
  // before the refusal’s sentence is set; a plain effect could run after that, and take the sentence away.
  useLayoutEffect(() => setProblem(null), [compareWith, live, changedAt]);

  const restore = async (to: 'draft' | 'live') => {
    const text = 'Visitors have it at once. What is live now stays in this list.';
    const title = `Publish revision ${revision} again?`;
    if (to === 'live' && !(await confirm({ title, text, action: 'Publish again' }))) return;
    const lost = `It takes the place of ${changeCount(changes.length)} that ${changes.length === 1 ? 'is' : 'are'} not published.`;
    if (
      to === 'draft' &&
      hasDraft &&
      !(await confirm({ title: 'Replace the draft?', text: lost, action: 'Replace draft' }))
    )
      return;
    setProblem(null);
    try {
      const body = { to, ...(to === 'draft' && { replaceDraft: hasDraft, changedAt }) };
      const path = `/agents/${agentId}/revisions/${revision}/restore`;
      await orReload(call<DraftView>('POST', path, body), onChanged);
      await onChanged();
      announce(
        to === 'draft' ? `Revision ${revision} is the draft now.` : `Revision ${revision} is live again.`,
      );
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };

  const differs = compared !== null && compared.changes.length > 0;
  return (
    <div class="comparison">
      {(problem ?? unread) && <Problem>{problem ?? unread}</Problem>}
      {hasDraft && live !== revision && (
        <Field label="Compare with">
          <select value={compareWith} onInput={({ currentTarget }) => setWanted(currentTarget.value)}>
            <option value="live">What is live</option>
            <option value="draft">The draft</option>
          </select>
        </Field>
      )}
      {compared === null ? (
        unread === null && <Loading />
      ) : compared.changes.length === 0 ? (
        <p class="meta">Nothing differs.</p>
      ) : (
        <ChangeList
          changes={compared.changes}
          before={`Revision ${revision}`}
          after={compareWith === 'live' ? 'Live' : 'Draft'}
        />
      )}
      {isAtLeast('admin') && live !== revision && differs && (
        <>
          <p class="hint">
            Restored, it is the draft: try it in the preview, then publish. If visitors cannot wait, publish
            it again at once.
          </p>
          <div class="actions">
            <button type="button" class="button primary" onClick={() => void restore('draft')}>
              Restore into the draft
            </button>
            <button type="button" class="button" onClick={() => void restore('live')}>
              Publish again at once
            </button>
          </div>
        </>
      )}
    </div>
  );
}
