import type { QuestionPart } from '@parley/conversation';
import { lazy } from '../../ui/lazy.tsx';

/** Something to fill in: what a question asks for or, without one, what comes before the first message. */
export const Form = lazy<{ question?: QuestionPart }>(
  () => import('../form/form.tsx'),
  false,
  ({ question }) =>
    question && (
      <p class="card card-title" dir="auto">
        {question.prompt}
      </p>
    ),
);
