import type { AgentView } from '@parley/protocol/settings/agent';
import type { DraftView } from '@parley/protocol/settings/revision';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { QuestionRow } from './question-row.tsx';
import { type Side, useTrials } from './use-trials.ts';

/** As many as the service keeps. */
const maxQuestions = 20;

interface SavedQuestionsProps {
  readonly agent: AgentView;
  readonly draft: DraftView;
  readonly onSaved: (agent: AgentView) => void;
}

/** What the draft is tried with before it is published, beside what visitors have. */
export function SavedQuestions({ agent, draft, onSaved }: SavedQuestionsProps) {
  const { id, savedQuestions: questions } = agent;
  const [problem, setProblem] = useState<string | null>(null);
  const { outcomes, asking, run, stop } = useTrials(id);
  const form = useForm({ name: `question ${id}`, initial: { question: '' }, fieldOf: () => 'question' });
  const sides: readonly Side[] = draft.changes.length > 0 ? ['draft', 'live'] : ['live'];
  /** Changes the list as it is by now: others may have changed it since it was shown. */
  const save = async (changed: (saved: readonly string[]) => readonly string[]) => {
    const { savedQuestions: before } = await call<AgentView>('GET', `/agents/${id}`);
    onSaved(await call<AgentView>('PATCH', `/agents/${id}`, { savedQuestions: changed(before) }));
  };
  const add = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      ({ question }) => {
        if (question.trim() === '') return { question: 'Write what a visitor could ask.' };
        return questions.includes(question.trim()) ? { question: 'It is saved already.' } : {};
      },
      async ({ question }) => {
        await save((saved) => [...new Set([...saved, question.trim()])]);
        form.reset();
      },
    );
  };
  const remove = async (question: string) => {
    try {
      await save((saved) => saved.filter((each) => each !== question));
      setProblem(null);
      announce('The question was removed.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <div class="stack">
      <p class="lead">
        Save what visitors ask most, and see what the draft answers beside what is live before you publish.
      </p>
      {(problem ?? form.problem) && <Problem>{problem ?? form.problem}</Problem>}
      {questions.length > 0 && isAtLeast('agent') && (
        <div class="actions saved-run">
          <p class="hint" role="status">
            {asking === null
              ? sides.length === 2
                ? 'Each is asked twice and costs what its answers cost. Only tools that may be repeated run; nothing is kept.'
                : 'The draft is like live, so each is asked once. Only tools that may be repeated run; nothing is kept.'
              : `Asking ${questions.indexOf(asking) + 1} of ${questions.length}…`}
          </p>
          {asking === null ? (
            <button type="button" class="button primary" onClick={() => void run(questions, sides)}>
              Ask all
            </button>
          ) : (
            <button type="button" class="button" onClick={stop}>
              Stop
            </button>
          )}
        </div>
      )}
      {questions.length === 0 && (
        <Empty icon="conversations" title="No question is saved">
          <p>
            Two or three that matter show at once what a change of the instructions does to their answers.
          </p>
        </Empty>
      )}
      <ol class="stack">
        {questions.map((question) => (
          <li key={question}>
            <QuestionRow
              question={question}
              sides={sides}
              outcomes={outcomes.get(question)}
              isAsked={question === asking}
              onAsk={asking === null ? () => void run([question], sides) : null}
              onRemove={() => void remove(question)}
            />
          </li>
        ))}
      </ol>
      {isAtLeast('admin') && questions.length < maxQuestions && (
        <form class="inline" ref={form.form} noValidate onSubmit={(event) => void add(event)}>
          <Field label="What a visitor could ask" error={form.errors['question']}>
            <input type="text" maxLength={2_000} autoComplete="off" {...form.control('question')} />
          </Field>
          <button type="submit" class="button" disabled={form.busy}>
            Save question
          </button>
        </form>
      )}
      {questions.length >= maxQuestions && <p class="hint">Twenty are saved: remove one to save another.</p>}
    </div>
  );
}
