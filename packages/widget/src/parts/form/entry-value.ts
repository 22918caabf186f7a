import type { FormField } from '@parley/protocol/field';
import type { Control } from './entry-problem.ts';

export type Values = Record<string, string | number | boolean>;

/** What stands in a field, as it is sent; absent if nothing does. */
export function entryValue({ type }: FormField, control: Control): Values[string] | undefined {
  if (type === 'checkbox') return (control as HTMLInputElement).checked;
  const text = control.value.trim();
  if (text === '') return undefined;
  return type === 'number' ? (control as HTMLInputElement).valueAsNumber : text;
}
