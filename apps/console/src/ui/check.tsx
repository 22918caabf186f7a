import { useId } from 'preact/hooks';

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with it, as a sentence. */
  readonly error?: string | undefined;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Yes or no, with what it means. */
export function Check({ label, hint, error, checked, onChange }: CheckProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={described || undefined}
        aria-invalid={error ? 'true' : undefined}
        onInput={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
