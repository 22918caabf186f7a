import type { FormFields, useForm } from '../ui/use-form.ts';
import type { ToolEntries } from './tool-entries.ts';

export type ToolFormState = ReturnType<typeof useForm<ToolEntries>>;

export interface ToolFields {
  readonly form: FormFields<ToolEntries> & Pick<ToolFormState, 'set' | 'change'>;
}
