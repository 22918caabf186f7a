import type { QuestionPart } from '@parley/client/turn';
import type { ComponentChildren } from 'preact';
import { ChoicesQuestion } from './choices-question.tsx';
import { FormQuestion } from './form-question.tsx';
import { readFields } from './read-fields.ts';

/** A question that asks for several things; what else it may be stands inside. */
export function StructuredQuestion({
  question,
  children,
}: {
  question: QuestionPart;
  children: ComponentChildren;
}) {
  const { multiple, fields: given } = { ...question.request.action.input };
  const fields = readFields(given);
  if (fields) return <FormQuestion question={question} fields={fields} fallback={children} />;
  if (multiple === true && question.options.length > 0)
    return <ChoicesQuestion question={question} fallback={children} />;
  return children;
}
