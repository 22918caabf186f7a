import type { OpenQuestionView } from '@parley/protocol/settings/question';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { usePages } from '../ui/use-pages.ts';
import { AnswerForm } from './answer-form.tsx';

interface OpenQuestionsProps {
  readonly agentId: string;
  readonly onAnswered: () => Promise<void>;
}

/** What visitors asked and no source answered. Nothing is shown while there is nothing. */
export function OpenQuestions({ agentId, onAnswered }: OpenQuestionsProps) {
  const { items, problem, reload, more } = usePages<OpenQuestionView>(`/agents/${agentId}/questions`);
  const [answering, setAnswering] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const dismiss = async (questionId: string) => {
    try {
      await call('POST', `/agents/${agentId}/questions/dismiss`, { questionId });
      setFailed(null);
      await reload();
      announce('It is off the list.');
    } catch (error) {
      setFailed(sentenceOf(error));
    }
  };
  const answered = async () => {
    setAnswering(null);
    await Promise.all([reload(), onAnswered()]);
    announce('The agent knows the answer from now on.');
  };
  const shown = failed ?? problem;
  if (items === null || items.length === 0) return shown && <Problem>{shown}</Problem>;
  return (
    <section class="card">
      <h2>Questions without a source</h2>
      <p class="lead">Visitors asked these, and the agent knew nothing about them.</p>
      {shown && <Problem>{shown}</Problem>}
      <ul class="rows">
        {items.map((item) => (
          <li key={item.id}>
            <div>
              <p class="row-name" dir="auto">
                {item.question}
              </p>
              <p class="meta">
                Asked {item.asked === 1 ? 'once' : `${item.asked} times`}, last <Time at={item.lastAskedAt} />
              </p>
            </div>
            {isAtLeast('admin') && answering !== item.id && (
              <div class="actions">
                <button
                  type="button"
                  class="button small"
                  aria-label={`Answer this: ${item.question}`}
                  onClick={() => setAnswering(item.id)}
                >
                  Answer this
                </button>
                <button
                  type="button"
                  class="button small"
                  aria-label={`Dismiss: ${item.question}`}
                  onClick={() => void dismiss(item.id)}
                >
                  Dismiss
                </button>
              </div>
            )}
            {answering === item.id && (
              <AnswerForm
                agentId={agentId}
                item={item}
                onAnswered={answered}
                onCancel={() => setAnswering(null)}
              />
            )}
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" class="button" onClick={() => void more()}>
          Show more
        </button>
      )}
    </section>
  );
}
