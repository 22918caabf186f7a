import { Refusal } from './parsed.ts';
import { hasNul, isLongerThan, maxTextLength } from './text.ts';

/** The text with lone surrogates replaced; refused beyond 20,000 code points or with U+0000. */
export function boundedText(text: string, field: string): string {
  if (isLongerThan(text, maxTextLength)) {
    throw new Refusal(`Expected '${field}' to have at most 20000 characters.`, field);
  }
  return withoutNul(text, field);
}

export function withoutNul(text: string, field: string): string {
  if (hasNul(text)) throw new Refusal(`Expected '${field}' not to contain U+0000.`, field);
  return text.toWellFormed();
}
