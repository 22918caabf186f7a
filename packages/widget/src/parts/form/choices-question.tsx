import type { QuestionPart } from '@parley/conversation';
import type { TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { AnsweredLine } from '../question/answered-line.tsx';
import type { LabelName } from '../../i18n/labels.ts';
import { useWidget } from '../../widget-context.ts';
import { CardForm } from './card-form.tsx';
import { readAnswer, useAnswer } from './use-answer.ts';

type Props = { question: QuestionPart; multiple: boolean };

/** A question with options, of which one or several may be chosen, or in words, and afterwards the answer. */
export function ChoicesQuestion({ question, multiple }: Props) {
  const { locale } = useWidget();
  const { state, options, answer } = question;
  if (state === 'open') return <OpenQuestion question={question} multiple={multiple} />;
  const chosen = multiple && readAnswer(answer?.text);
  if (!Array.isArray(chosen)) return <AnsweredLine question={question} />;
  const words = chosen.map((each: unknown) => {
    const own = typeof each === 'string' ? each : (each as { other?: unknown } | null)?.other;
    return (
      options.find(({ id }) => id === each)?.label ?? (typeof own === 'string' ? own : JSON.stringify(each))
    );
  });
  return <AnsweredLine question={question} text={new Intl.ListFormat(locale).format(words)} />;
}

function OpenQuestion({ question: { requestId, prompt, options, allowFreeform }, multiple }: Props) {
  const { chat, label } = useWidget();
  const { sending, failure, answer } = useAnswer(requestId);
  const freeform = allowFreeform || options.length === 0;
  const otherId = `other-${requestId}`;
  const [own, setOwn] = useState(options.length === 0 || otherId in (chat.formEntries(requestId) ?? {}));
  const [problem, setProblem] = useState<LabelName | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const textId = `text-${requestId}`;
  const problemId = `problem-${requestId}`;
  const hintId = multiple && `hint-${requestId}`;
  const type = multiple ? 'checkbox' : 'radio';

  const submit = ({ currentTarget }: TargetedEvent<HTMLFormElement>) => {
    const inputs = [...currentTarget.querySelectorAll('input')];
    const [id, ...more] = options.filter((_, index) => inputs[index]?.checked).map((option) => option.id);
    const text = own ? field.current!.value.trim() : undefined;
    if (text === '') {
      setProblem('writeAnswer');
      field.current!.focus();
    } else if (id === undefined && text === undefined) {
      setProblem('chooseOne');
      inputs[0]!.focus();
    } else if (multiple) {
      const chosen = [id, ...more, text === undefined ? undefined : { other: text }];
      answer({ text: JSON.stringify(chosen.filter((each) => each !== undefined)) }, currentTarget);
    } else answer(text === undefined ? { optionId: id! } : { text }, currentTarget);
  };
  const edited = () => setProblem(null);

  return (
    <CardForm
      title={prompt}
      scope={requestId}
      action={label('answer')}
      disabled={sending}
      failure={failure}
      describedBy={[hintId, problem && problemId].filter(Boolean).join(' ') || undefined}
      onSubmit={submit}
    >
      {hintId && (
        <p class="meta" id={hintId}>
          {label('severalChoices')}
        </p>
      )}
      {options.map((option, index) => (
        <label class="option" key={option.id}>
          <input
            type={type}
            id={`${requestId}-${index}`}
            name={requestId}
            onChange={() => {
              if (!multiple) setOwn(false);
              edited();
            }}
          />
          <span dir="auto">
            {option.label}
            {option.description && <span class="meta option-more">{option.description}</span>}
          </span>
        </label>
      ))}
      {freeform && options.length > 0 && (
        <label class="option">
          <input
            type={type}
            id={otherId}
            name={requestId}
            onChange={({ currentTarget }) => {
              setOwn(currentTarget.checked);
              edited();
            }}
          />
          <span>{label('other')}</span>
        </label>
      )}
      {freeform && (
        <div hidden={!own}>
          <label class="hidden" for={textId}>
            {label('yourAnswer')}
          </label>
          <textarea
            ref={field}
            id={textId}
            class="field"
            rows={2}
            dir="auto"
            maxLength={20_000}
            placeholder={label('yourAnswer')}
            aria-invalid={problem !== null}
            aria-describedby={problem ? problemId : undefined}
            onInput={edited}
          />
        </div>
      )}
      {problem && (
        <p class="problem" id={problemId} role="alert">
          {label(problem)}
        </p>
      )}
    </CardForm>
  );
}
