import type { FormField } from '@parley/protocol/field';
import type { LabelName } from '../../i18n/labels.ts';

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export type Problem = { label: LabelName; limit?: number | string | undefined };

/** Why an entry cannot be sent, if so. The browser knows, but would say it in its own words. */
export function entryProblem(field: FormField, { value, validity }: Control): Problem | null {
  const { type, required, minimum, maximum } = field;
  if (type === 'checkbox') return validity.valueMissing ? { label: 'entryTick' } : null;
  const date = type === 'date';
  const empty = value.trim() === '';
  if (validity.badInput || validity.typeMismatch || (type === 'tel' && !empty && !/\d\D*\d/.test(value)))
    return { label: `entry-${type}` as LabelName };
  if (required && empty)
    return { label: type === 'select' ? 'chooseOne' : date ? 'entry-date' : 'entryEmpty' };
  if (validity.rangeUnderflow) return { label: date ? 'entryTooEarly' : 'entryTooSmall', limit: minimum };
  if (validity.rangeOverflow && maximum === undefined) return { label: 'entry-date' };
  if (validity.rangeOverflow) return { label: date ? 'entryTooLate' : 'entryTooLarge', limit: maximum };
  return null;
}
