import type { QuestionPart } from '@parley/conversation';
import { CardIcon } from '../../ui/card-icon.tsx';
import { useWidget } from '../../widget-context.ts';

/** What became of a question; `text` is what was answered, where that is not what was sent. */
export function AnsweredLine({ question, text }: { question: QuestionPart; text?: string }) {
  const { label } = useWidget();
  const { prompt, options, answer, state } = question;
  const chosen = options.find(({ id }) => id === answer?.optionId)?.label ?? answer?.text ?? answer?.optionId;
  return (
    <div class="tool">
      <p class="tool-line">
        <CardIcon name={state === 'answered' ? 'check' : 'clock'} />
        <span dir="auto">
          <span class="meta">{prompt}</span>{' '}
          {state === 'answered'
            ? label('answered', { text: text ?? chosen ?? '' })
            : label(state === 'expired' ? 'tool-expired' : 'dismissed')}
        </span>
      </p>
    </div>
  );
}
