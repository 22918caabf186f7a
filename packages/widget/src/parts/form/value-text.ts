import type { FormField } from '@parley/protocol/field';
import type { LabelName } from '../../i18n/labels.ts';
import { isDate } from './read-fields.ts';

type Words = { locale: string; label: (name: LabelName) => string };

/** A field's value as the visitor would say it: an option by its label, a date as dates are written here. */
export function valueText({ type, options }: FormField, value: unknown, { locale, label }: Words): string {
  if (typeof value === 'boolean') return label(value ? 'yes' : 'no');
  if (typeof value === 'number')
    return value.toLocaleString(locale, { useGrouping: false, maximumFractionDigits: 20 });
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'date' && isDate(text))
    return new Date(text).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return options?.find(({ id }) => id === text)?.label ?? text;
}
