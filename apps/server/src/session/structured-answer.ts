import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import { jsonFault, wellFormedJson } from '@parley/protocol/text';
import type { JsonObject, JsonValue } from '../model/message.ts';

export type StructuredAnswer =
  | { readonly shape: 'choices'; readonly value: readonly JsonValue[] }
  | { readonly shape: 'form'; readonly value: JsonObject };

/** What a question is answered with: one option or text, several options, or the fields of a form. */
export function answerShape({ kind, action }: InputRequest): 'plain' | StructuredAnswer['shape'] {
  const { multiple, fields } = action.input;
  if (kind === 'question' && Array.isArray(fields) && fields.length > 0) return 'form';
  return kind === 'question' && multiple === true ? 'choices' : 'plain';
}

/** The choices or the filled-in form in an answer; null where somebody just typed, or was asked for neither. */
export function structuredAnswer(
  request: InputRequest,
  { optionId, text }: Pick<InputResponse, 'optionId' | 'text'>,
): StructuredAnswer | null {
  const shape = answerShape(request);
  if (shape === 'plain') return null;
  if (shape === 'choices' && optionId !== undefined) return { shape, value: [optionId] };
  const value = text === undefined ? null : parsed(text);
  if (typeof value !== 'object' || value === null || jsonFault(value) !== null) return null;
  const clean = wellFormedJson(value);
  if (shape === 'choices') return Array.isArray(clean) ? { shape, value: clean } : null;
  return Array.isArray(clean) ? null : { shape, value: clean as JsonObject };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
