import type { AgentView } from '@parley/protocol/settings/agent';
import type { SourceView } from '@parley/protocol/settings/source';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { OpenQuestions } from '../questions/open-questions.tsx';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { usePages } from '../ui/use-pages.ts';
import { NewFiles } from '../files/new-files.tsx';
import { NewSource } from './new-source.tsx';
import { SourceRow } from './source-row.tsx';

/** How often a source that is being read is looked at again. */
const lookAgainMs = 2_000;

/** What the agent answers from, and where more is added. */
export function Knowledge({ agent }: { readonly agent: AgentView }) {
  const sources = usePages<SourceView>(`/sources?agentId=${agent.id}`);
  const [problem, setProblem] = useState<string | null>(null);
  const { items, reload } = sources;
  const isReading = items?.some(
    ({ reading }) => reading.status === 'waiting' || reading.status === 'reading',
  );
  useEffect(() => {
    if (!isReading) return;
    const timer = setInterval(() => void reload(), lookAgainMs);
    return () => clearInterval(timer);
  }, [isReading, reload]);

  const doing = async (action: () => Promise<void>) => {
    try {
      await action();
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const readAgain = ({ id, name }: SourceView) =>
    doing(async () => {
      await call('POST', `/sources/${id}/read`);
      await reload();
      announce(`${name} is read again.`);
    });
  const remove = ({ id, name }: SourceView) =>
    doing(async () => {
      const text = 'The agent does not answer from it any more.';
      if (!(await confirm({ title: `Remove ${name}?`, text, action: 'Remove source' }))) return;
      await deleteIfThere(`/sources/${id}`);
      await reload();
      announce(`${name} was removed.`);
    });

  const shown = problem ?? sources.problem;
  return (
    <div class="stack">
      {shown && <Problem>{shown}</Problem>}
      <OpenQuestions agentId={agent.id} onAnswered={reload} />
      {items === null ? (
        <Loading />
      ) : (
        items.length > 0 && (
          <section class="card" aria-labelledby="sources">
            <h2 id="sources">Sources</h2>
            <ul class="rows">
              {items.map((source) => (
                <SourceRow
                  key={source.id}
                  source={source}
                  onRead={() => void readAgain(source)}
                  onRemove={() => void remove(source)}
                  onChanged={reload}
                />
              ))}
            </ul>
          </section>
        )
      )}
      {sources.more && (
        <button type="button" class="button" onClick={() => void sources.more?.()}>
          Show more
        </button>
      )}
      {isAtLeast('admin') && <NewFiles agentId={agent.id} onAdded={reload} />}
      {isAtLeast('admin') && <NewSource agentId={agent.id} onAdded={reload} />}
      {agent.model.provider !== 'quoting' && items?.length === 0 && (
        <p class="meta">
          The agent searches its sources before it answers, and shows visitors which ones it used. Without a
          model it quotes them: choose that under Agent.
        </p>
      )}
    </div>
  );
}
