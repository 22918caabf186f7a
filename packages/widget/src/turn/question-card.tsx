import type { QuestionPart } from '@parley/client/turn';
import { useState } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';
import { Icon } from '../icon.tsx';
import { labels } from '../labels.ts';
import { errorText } from '../panel/error-text.ts';

export function QuestionCard({ chat, question }: { chat: Chat; question: QuestionPart }) {
  if (question.state === 'open') return <OpenQuestion chat={chat} question={question} />;
  const { answer, options, state } = question;
  const chosen = options.find(({ id }) => id === answer?.optionId)?.label ?? answer?.text ?? answer?.optionId;
  return (
    <div class="tool">
      <p class="tool-line">
        <Icon name={state === 'answered' ? 'check' : 'clock'} />
        <span dir="auto">
          <span class="meta">{question.prompt}</span>{' '}
          {state === 'answered' ? labels.answered(chosen ?? '') : labels.dismissed}
        </span>
      </p>
    </div>
  );
}

const other = Symbol('other');

function OpenQuestion({ chat, question }: { chat: Chat; question: QuestionPart }) {
  const { requestId, prompt, options, allowFreeform } = question;
  const [choice, setChoice] = useState<string | typeof other | null>(options.length === 0 ? other : null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const state = chat.answers.value.get(requestId);
  const freeform = allowFreeform || options.length === 0;
  const textId = `text-${requestId}`;
  const problemId = `problem-${requestId}`;

  const submit = (event: Event) => {
    event.preventDefault();
    if (choice === null) return setProblem(labels.chooseOne);
    if (choice === other && text.trim() === '') return setProblem(labels.writeAnswer);
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
            <span>{labels.other}</span>
          </label>
        )}
        {freeform && choice === other && (
          <>
            <label class="hidden" for={textId}>
              {labels.yourAnswer}
            </label>
            <textarea
              id={textId}
              class="field"
              rows={2}
              dir="auto"
              maxLength={20_000}
              placeholder={labels.yourAnswer}
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
          <p class="card-error" id={problemId} role="alert">
            {problem}
          </p>
        )}
        {state?.kind === 'failed' && (
          <p class="card-error" role="alert">
            {errorText(state.error)}
          </p>
        )}
        <button type="submit" class="button primary wide">
          {labels.answer}
        </button>
      </fieldset>
    </form>
  );
}
