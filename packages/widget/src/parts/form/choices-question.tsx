import type { QuestionPart } from '@parley/conversation';
import type { TargetedEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AnsweredLine } from '../question/answered-line.tsx';
import type { LabelName } from '../../i18n/labels.ts';
import { useWidget } from '../../widget-context.ts';
import { CardForm } from './card-form.tsx';
import { OptionLabel } from './option-label.tsx';
import { readAnswer, useAnswer } from './use-answer.ts';

type Props = { question: QuestionPart; multiple: boolean };

/** A question with options, of which one is clicked or several are ticked, or in words, and afterwards the answer. */
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
  const { conversation, label } = useWidget();
  const { sending, failure, answer } = useAnswer(requestId);
  const freeform = allowFreeform || options.length === 0;
  const otherId = `other-${requestId}`;
  const textId = `text-${requestId}`;
  const kept = conversation.formEntries(requestId) ?? {};
  const [own, setOwn] = useState(options.length === 0 || (multiple ? otherId : textId) in kept);
  const [problem, setProblem] = useState<LabelName | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const problemId = `problem-${requestId}`;
  const hintId = multiple && `hint-${requestId}`;
  const opened = useRef(own);
  // Before anything else can take the focus: a key pressed at once must not land in the field.
  useLayoutEffect(() => {
    if (own && !opened.current) field.current!.focus();
    opened.current = own;
  }, [own]);

  const submit = ({ currentTarget }: TargetedEvent<HTMLFormElement>) => {
    const ticks = [...currentTarget.querySelectorAll('input')];
    const chosen = options.filter((_, index) => ticks[index]?.checked).map(({ id }) => id);
    const text = own ? field.current!.value.trim() : undefined;
    if (text === '') {
      setProblem('writeAnswer');
      field.current!.focus();
    } else if (multiple && chosen.length === 0 && text === undefined) {
      setProblem('chooseOne');
      ticks[0]!.focus();
    } else if (multiple) {
      const all = [...chosen, ...(text === undefined ? [] : [{ other: text }])];
      answer({ text: JSON.stringify(all) }, currentTarget);
    } else answer({ text: text! }, currentTarget);
  };
  const edited = () => setProblem(null);

  return (
    <CardForm
      title={prompt}
      scope={requestId}
      action={multiple || own ? label('answer') : undefined}
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
      {options.map((option, index) =>
        multiple ? (
          <label class="option" key={option.id}>
            <input type="checkbox" id={`${requestId}-${index}`} onChange={edited} />
            <OptionLabel {...option} />
          </label>
        ) : (
          <button
            type="button"
            class="option"
            key={option.id}
            onClick={({ currentTarget }) => answer({ optionId: option.id }, currentTarget.form!)}
          >
            <OptionLabel {...option} />
          </button>
        ),
      )}
      {freeform &&
        options.length > 0 &&
        (multiple ? (
          <label class="option">
            <input
              type="checkbox"
              id={otherId}
              onChange={({ currentTarget }) => {
                setOwn(currentTarget.checked);
                edited();
              }}
            />
            <span>{label('other')}</span>
          </label>
        ) : (
          <button
            type="button"
            class="option"
            aria-expanded={own}
            aria-controls={textId}
            onClick={() => setOwn(!own)}
          >
            {label('other')}
          </button>
        ))}
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
