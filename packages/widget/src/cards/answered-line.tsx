import type { QuestionPart } from '@parley/client/turn';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';

/** What became of a question. */
export function AnsweredLine({
  question: { prompt, state },
  text,
}: {
  question: QuestionPart;
  text: string;
}) {
  const { label } = useWidget();
  return (
    <div class="tool">
      <p class="tool-line">
        <Icon name={state === 'answered' ? 'check' : 'clock'} />
        <span dir="auto">
          <span class="meta">{prompt}</span>{' '}
          {state === 'answered'
            ? label('answered', { text })
            : label(state === 'expired' ? 'tool-expired' : 'dismissed')}
        </span>
      </p>
    </div>
  );
}
