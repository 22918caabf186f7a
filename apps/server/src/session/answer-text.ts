import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import { formFieldsSchema } from '@parley/protocol/field';
import type { JsonObject } from '../model/message.ts';
import { structuredAnswer } from './structured-answer.ts';

/** An answer as somebody would read it: by the labels of what was chosen or filled in. */
export function answerText(
  answer: Pick<InputResponse, 'optionId' | 'text'>,
  request: InputRequest | undefined,
): string {
  const structured = request && structuredAnswer(request, answer);
  if (structured?.shape === 'form') return formText(structured.value, request);
  const labelOf = (id: unknown) => request?.options?.find((option) => option.id === id)?.label;
  if (structured) return structured.value.map((id) => `- ${labelOf(id) ?? written(id)}`).join('\n');
  const { optionId, text } = answer;
  return [labelOf(optionId) ?? optionId, text].filter((part) => part !== undefined).join('\n');
}

function formText(values: JsonObject, request: InputRequest | undefined): string {
  const { data: fields = [] } = formFieldsSchema.safeParse(request?.action.input['fields']);
  const lines = Object.entries(values).map(([name, value]) => {
    const field = fields.find((candidate) => candidate.name === name);
    const chosen = field?.options?.find(({ id }) => id === value)?.label;
    return `${field?.label ?? name}: ${chosen ?? written(value)}`;
  });
  return lines.join('\n');
}

/** What somebody wrote themselves stands in `{"other": "..."}`. */
function written(value: unknown): string {
  if (typeof value === 'string') return value;
  const other = typeof value === 'object' && value !== null && 'other' in value ? value.other : undefined;
  return typeof other === 'string' ? other : JSON.stringify(value);
}
