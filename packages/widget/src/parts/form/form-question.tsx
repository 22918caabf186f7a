import type { QuestionPart } from '@parley/conversation';
import type { FormField } from '@parley/protocol/field';
import { AnsweredLine } from '../question/answered-line.tsx';
import { CardIcon } from '../../ui/card-icon.tsx';
import { useWidget } from '../../widget-context.ts';
import { FieldsForm } from './fields-form.tsx';
import { readAction } from './read-action.ts';
import { readAnswer, useAnswer } from './use-answer.ts';
import { valueText } from './value-text.ts';

type Props = { question: QuestionPart; fields: readonly FormField[] };

/** A form of the agent's, and afterwards what was filled in. */
export function FormQuestion({ question, fields }: Props) {
  const { label, locale } = useWidget();
  const { request, requestId, prompt, state } = question;
  const { sending, failure, answer } = useAnswer(requestId);
  if (state === 'open')
    return (
      <FieldsForm
        title={prompt}
        fields={fields}
        scope={requestId}
        action={readAction(request.action.input) ?? label('answer')}
        disabled={sending}
        failure={failure}
        onValues={(values, form) => answer({ text: JSON.stringify(values) }, form)}
      />
    );
  const values = readAnswer(question.answer?.text);
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return <AnsweredLine question={question} />;
  const given = new Map<string, unknown>(Object.entries(values));
  return (
    <div class="tool">
      <p class="tool-line">
        <CardIcon name="check" />
        <span class="meta">
          <bdi>{prompt}</bdi>
        </span>
      </p>
      <dl class="given">
        {fields
          .filter(({ name }) => given.has(name))
          .map((field) => (
            <div key={field.name}>
              <dt class="meta">
                <bdi>{field.label}</bdi>
              </dt>
              <dd>
                <bdi>{valueText(field, given.get(field.name), { locale, label })}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
