import type { QuestionPart } from '@parley/conversation';
import { Gate } from '../../pre-chat/gate.tsx';
import { Question } from './question.tsx';

export { default as css } from './form.css?inline';

export function Component({ question }: { question?: QuestionPart }) {
  return question ? <Question question={question} /> : <Gate />;
}
