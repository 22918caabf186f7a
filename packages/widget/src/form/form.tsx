import type { QuestionPart } from '@parley/client/turn';
import type { ComponentChildren } from 'preact';
import { Gate } from './gate.tsx';
import { StructuredQuestion } from './structured-question.tsx';

export { default as css } from './form.css?inline';

/** What a question asks for, with what it is otherwise inside; without a question, what comes before the first message. */
export function Component({ question, children }: { question?: QuestionPart; children?: ComponentChildren }) {
  return question ? <StructuredQuestion question={question}>{children}</StructuredQuestion> : <Gate />;
}
