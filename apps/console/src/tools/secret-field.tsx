import { Field } from '../ui/field.tsx';
import { keptSecret, secretsOf, type StoredTool } from './tool-entries.ts';
import type { ToolFields } from './tool-fields.ts';

interface SecretFieldProps extends ToolFields {
  readonly before: StoredTool | null;
  /** Which of the secrets it is. */
  readonly of: string;
  readonly label: string;
  /** Shown while it is typed: a header may say something that nobody has to hide. */
  readonly plain?: boolean;
}

/** A value that is stored encrypted: it can be set and replaced, and is never shown again. */
export function SecretField({ form, before, of, label, plain = false }: SecretFieldProps) {
  const secrets = secretsOf(form.values);
  const kept = keptSecret(form.values, before, of);
  const stored = kept && (kept.last4 ? `Stored, ends in ${kept.last4}` : 'Stored');
  const shared = {
    autoComplete: 'off',
    spellcheck: false,
    maxLength: 8_000,
    placeholder: stored ? `${stored}. Type to replace it.` : '',
    value: secrets[of] ?? '',
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      form.set('secrets', JSON.stringify({ ...secrets, [of]: currentTarget.value })),
  } as const;
  return (
    <Field label={label} error={form.errors[`secret ${of}`]}>
      {plain ? <input type="text" {...shared} /> : <input type="password" {...shared} />}
    </Field>
  );
}
