import type { QuestionPart } from '@parley/conversation';
import { useEffect } from 'preact/hooks';
import { useWidget } from '../../widget-context.ts';
import { AnsweredLine } from './answered-line.tsx';
import { Form } from './form.tsx';

/** A question with what it takes to answer it, and then a line with the answer. */
export function QuestionCard({ question }: { question: QuestionPart }) {
  const { conversation } = useWidget();
  const { request, requestId, state } = question;
  useEffect(() => {
    if (state !== 'open') conversation.keepFormEntries(requestId, {});
  }, [state]);
  const { multiple, fields } = { ...request.action.input };
  const structured = Boolean(multiple || fields);
  if (state === 'open' || (state === 'answered' && structured)) return <Form question={question} />;
  return <AnsweredLine question={question} />;
}
