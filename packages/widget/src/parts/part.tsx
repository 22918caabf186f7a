import type { TurnPart } from '@parley/conversation';
import { CardIcon } from '../ui/card-icon.tsx';
import { Markdown } from './markdown/markdown.tsx';
import { useWidget } from '../widget-context.ts';
import { QuestionCard } from './question/question-card.tsx';
import { lazy } from '../ui/lazy.tsx';
import { TeamQuestionLine } from './tool/team-question-line.tsx';
import { ToolLine } from './tool/tool-line.tsx';
import { visibleJson } from '@parley/protocol/escape-invisible';

const SignInCard = lazy(() => import('./sign-in/sign-in-card.tsx'));

/** Whatever is in a turn besides text. */
export function Part({ part }: { part: TurnPart }) {
  const { label } = useWidget();
  switch (part.kind) {
    case 'reasoning':
      return (
        <details class="reasoning">
          <summary class="tool-line">
            <span class={part.done ? undefined : 'shimmer'}>
              {label(part.done ? 'reasoning' : 'thinking')}
            </span>
            <CardIcon name="chevron" />
          </summary>
          <Markdown text={part.text} open={!part.done} />
        </details>
      );
    case 'tool':
      return <ToolLine tool={part} />;
    case 'question':
      return <QuestionCard key={part.requestId} question={part} />;
    case 'sign-in':
      return <SignInCard part={part} />;
    case 'team-question':
      return <TeamQuestionLine state={part.state} />;
    case 'result':
      return (
        <pre class="arguments" dir="ltr" tabIndex={0} aria-label={label('result')}>
          {visibleJson(part.result)}
        </pre>
      );
    case 'text':
      return null;
  }
}
