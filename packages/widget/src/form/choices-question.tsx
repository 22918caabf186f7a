import type { QuestionPart } from '@parley/client/turn';
import type { ComponentChildren, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { AnsweredLine } from '../cards/answered-line.tsx';
import type { LabelName } from '../labels/labels.ts';
import { useWidget } from '../widget-context.ts';
import { StructuredForm } from './structured-form.tsx';
import { readAnswer, useAnswer } from './use-answer.ts';

type Props = { question: QuestionPart; fallback: ComponentChildren };

/** A question of which several options may be chosen, and afterwards which were. */
export function ChoicesQuestion({ question, fallback }: Props) {
  const { locale } = useWidget();
  const { state, options, answer } = question;
  if (state === 'open') return <OpenChoices question={question} />;
  const chosen = readAnswer(answer?.text);
  if (!Array.isArray(chosen)) return fallback;
  const words = chosen.map((each: unknown) => {
    const own = typeof each === 'string' ? each : (each as { other?: unknown } | null)?.other;
    return (
      options.find(({ id }) => id === each)?.label ?? (typeof own === 'string' ? own : JSON.stringify(each))
    );
  });
  return <AnsweredLine question={question} text={new Intl.ListFormat(locale).format(words)} />;
}

function OpenChoices({
  question: { requestId, prompt, options, allowFreeform },
}: {
  question: QuestionPart;
}) {
  const { label } = useWidget();
  const { sending, failure, answer } = useAnswer(requestId);
  const [other, setOther] = useState(false);
  const [problem, setProblem] = useState<LabelName | null>(null);
  const textId = `text-${requestId}`;
  const hintId = `hint-${requestId}`;
  const problemId = `problem-${requestId}`;

  const submit = ({ currentTarget }: TargetedEvent<HTMLFormElement>) => {
    const boxes = [...currentTarget.querySelectorAll<HTMLInputElement>('[type=checkbox]')];
    const ids = options.filter((_, index) => boxes[index]?.checked).map(({ id }) => id);
    const field = currentTarget.querySelector('textarea');
    const text = field?.value.trim();
    if (text === '') {
      setProblem('writeAnswer');
      field!.focus();
    } else if (ids.length === 0 && text === undefined) {
      setProblem('chooseOne');
      boxes[0]!.focus();
    } else answer(text === undefined ? ids : [...ids, { other: text }], currentTarget);
  };
  const edited = () => setProblem(null);

  return (
    <StructuredForm
      title={prompt}
      action={label('answer')}
      disabled={sending}
      failure={failure}
      describedBy={problem ? `${hintId} ${problemId}` : hintId}
      onSubmit={submit}
    >
      <p class="meta" id={hintId}>
        {label('severalChoices')}
      </p>
      {options.map((option) => (
        <label class="option" key={option.id}>
          <input type="checkbox" onChange={edited} />
          <span dir="auto">
            {option.label}
            {option.description && <span class="meta option-more">{option.description}</span>}
          </span>
        </label>
      ))}
      {allowFreeform && (
        <label class="option">
          <input
            type="checkbox"
            checked={other}
            onChange={({ currentTarget }) => {
              setOther(currentTarget.checked);
              edited();
            }}
          />
          <span>{label('other')}</span>
        </label>
      )}
      {other && (
        <>
          <label class="hidden" for={textId}>
            {label('yourAnswer')}
          </label>
          <textarea
            id={textId}
            class="field"
            rows={2}
            dir="auto"
            maxLength={5_000}
            placeholder={label('yourAnswer')}
            aria-invalid={problem !== null}
            aria-describedby={problem ? problemId : undefined}
            onInput={edited}
          />
        </>
      )}
      {problem && (
        <p class="problem" id={problemId} role="alert">
          {label(problem)}
        </p>
      )}
    </StructuredForm>
  );
}
