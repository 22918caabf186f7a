import type { FormFields } from '../ui/use-form.ts';
import type { AgentEntries } from './agent-entries.ts';
import type { conductOf } from './conduct-entries.ts';

export type WholeEntries = AgentEntries & ReturnType<typeof conductOf>;

/** The form of an agent, as its sections take it. */
export interface ConductForm extends FormFields<WholeEntries> {
  readonly set: (field: keyof WholeEntries, value: string) => void;
}

export interface ConductProps {
  readonly form: ConductForm;
}
