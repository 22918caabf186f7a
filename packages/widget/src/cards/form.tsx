import type { QuestionPart } from '@parley/client/turn';
import type { ComponentChildren } from 'preact';
import { lazy } from './lazy.tsx';

type Props = { question?: QuestionPart; children?: ComponentChildren };

/** Something to fill in. */
export const Form = lazy<Props>(
  () => import('../form/form.tsx'),
  false,
  ({ question }) =>
    question && (
      <p class="card card-title" dir="auto">
        {question.prompt}
      </p>
    ),
);
