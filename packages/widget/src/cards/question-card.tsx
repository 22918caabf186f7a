import type { QuestionPart } from '@parley/client/turn';
import { useState } from 'preact/hooks';
import { useStore } from '../chat/use-store.ts';
import { errorText } from '../panel/error-text.ts';
import { useWidget } from '../widget-context.ts';
import { AnsweredLine } from './answered-line.tsx';
import { Form } from './form.tsx';

export function QuestionCard({ question }: { question: QuestionPart }) {
  const { answer, options, request, state } = question;
  const { multiple, fields } = { ...request.action.input };
  const chosen = options.find(({ id }) => id === answer?.optionId)?.label ?? answer?.text ?? answer?.optionId;
  const plain =
    state === 'open' ? (
      <OpenQuestion question={question} />
    ) : (
      <AnsweredLine question={question} text={chosen ?? ''} />
    );
  if (!(multiple || fields) || state === 'dismissed' || state === 'expired') return plain;
  return <Form question={question}>{plain}</Form>;
}

const other = Symbol('other');

function OpenQuestion({ question }: { question: QuestionPart }) {
  const { chat, label } = useWidget();
  const { requestId, prompt, options, allowFreeform } = question;
  const [choice, setChoice] = useState<string | typeof other | null>(options.length === 0 ? other : null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const state = useStore(chat).answers.get(requestId);
  const freeform = allowFreeform || options.length === 0;
  const textId = `text-${requestId}`;
  const problemId = `problem-${requestId}`;

  const submit = (event: Event) => {
    event.preventDefault();
    if (choice === null) return setProblem(label('chooseOne'));
    if (choice === other && text.trim() === '') return setProblem(label('writeAnswer'));
    setProblem(null);
    return void chat.respond(requestId, choice === other ? { text: text.trim() } : { optionId: choice });
  };

  return (
    <form class="card" onSubmit={submit} noValidate>
      <fieldset disabled={state?.kind === 'sending'} aria-describedby={problem ? problemId : undefined}>
        <legend class="card-title" dir="auto">
          {prompt}
        </legend>
        {options.map((option) => (
          <label class="option" key={option.id}>
            <input
              type="radio"
              name={requestId}
              checked={choice === option.id}
              onChange={() => {
                setChoice(option.id);
                setProblem(null);
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
              type="radio"
              name={requestId}
              checked={choice === other}
              onChange={() => setChoice(other)}
            />
            <span>{label('other')}</span>
          </label>
        )}
        {freeform && choice === other && (
          <>
            <label class="hidden" for={textId}>
              {label('yourAnswer')}
            </label>
            <textarea
              id={textId}
              class="field"
              rows={2}
              dir="auto"
              maxLength={20_000}
              placeholder={label('yourAnswer')}
              value={text}
              aria-invalid={problem !== null}
              onInput={(event) => {
                setText(event.currentTarget.value);
                setProblem(null);
              }}
            />
          </>
        )}
        {problem && (
          <p class="problem" id={problemId} role="alert">
            {problem}
          </p>
        )}
        {state?.kind === 'failed' && (
          <p class="problem" role="alert">
            {errorText(state.error.code, label)}
          </p>
        )}
        <button type="submit" class="button primary wide">
          {label('answer')}
        </button>
      </fieldset>
    </form>
  );
}
