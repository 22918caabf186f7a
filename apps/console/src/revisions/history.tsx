import type { DraftView, RevisionView } from '@parley/protocol/settings/revision';
import { isAtLeast } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { usePages } from '../ui/use-pages.ts';
import { Revision } from './revision.tsx';

interface HistoryProps {
  readonly draft: DraftView;
  readonly onChanged: () => Promise<void>;
}

/** What visitors spoke to, and when. */
export function History({ draft, onChanged }: HistoryProps) {
  // Another list once something was published.
  const { items, problem, more, reload } = usePages<RevisionView>(`/agents/${draft.agentId}/revisions`);
  if (items === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  const changed = async () => {
    await onChanged();
    await reload();
  };
  return (
    <div class="stack">
      <p class="lead">
        Every change that reached visitors. A conversation names the revision that answered it. The last 200
        are kept, without keys and passwords.
      </p>
      <p class="hint">
        Tools and knowledge have no revisions: what changes in them applies at once, and going back leaves
        them as they are.{' '}
        {isAtLeast('admin') && (
          <>
            Who changed what is in the <a href={linkTo('changes')}>change log</a>.
          </>
        )}
      </p>
      <ol class="rows card revisions">
        {items.map((revision) => (
          <li key={revision.revision}>
            <Revision revision={revision} draft={draft} onChanged={changed} />
          </li>
        ))}
      </ol>
      {problem && <Problem>{problem}</Problem>}
      {more && (
        <button type="button" class="button" onClick={() => void more()}>
          Show earlier ones
        </button>
      )}
    </div>
  );
}
