import type { OpenQuestionView } from '@parley/protocol/settings/question';
import { call } from '../api/call.ts';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';

interface AnswerFormProps {
  readonly agentId: string;
  readonly item: OpenQuestionView;
  readonly onAnswered: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The answer to a question, which may be put in better words first. */
export function AnswerForm({ agentId, item, onAnswered, onCancel }: AnswerFormProps) {
  const { form, errors, problem, busy, submit, reset, control } = useForm({
    name: `answer ${agentId} ${item.id}`,
    initial: { question: item.question, answer: '' },
  });
  const answer = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ question, answer: text }) => ({
        ...(question.trim() === '' && { question: 'Enter what visitors ask.' }),
        ...(text.trim() === '' && { answer: 'Enter what they are told.' }),
      }),
      async ({ question, answer: text }) => {
        const entry = { question: question.trim(), answer: text.trim() };
        await call('POST', `/agents/${agentId}/questions/answer`, { questionId: item.id, ...entry });
        reset();
        await onAnswered();
      },
    );
  };
  return (
    <form class="answer" ref={form} noValidate onSubmit={(event) => void answer(event)}>
      {problem && <Problem>{problem}</Problem>}
      <Field label="What visitors ask" error={errors['question']}>
        <input type="text" autoComplete="off" maxLength={1_000} {...control('question')} />
      </Field>
      <Field label="What they are told" error={errors['answer']}>
        <textarea rows={3} maxLength={20_000} autoFocus {...control('answer')} />
      </Field>
      <div class="actions">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={busy}>
          Save answer
        </button>
      </div>
    </form>
  );
}
