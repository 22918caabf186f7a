import type { QuestionPart } from '@parley/conversation';
import { ChoicesQuestion } from './choices-question.tsx';
import { FormQuestion } from './form-question.tsx';
import { readFields } from './read-fields.ts';

/** A question by what its model made of it: a form, several of its options, or one answer. */
export function Question({ question }: { question: QuestionPart }) {
  const { multiple, fields: given } = { ...question.request.action.input };
  const fields = readFields(given);
  if (fields) return <FormQuestion question={question} fields={fields} />;
  return <ChoicesQuestion question={question} multiple={multiple === true && question.options.length > 0} />;
}
