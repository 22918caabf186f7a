import { useState } from 'preact/hooks';
import { Field } from '../ui/field.tsx';

interface LinesProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** What stands for the lines, as it is shown. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Several things, one a line: as it is typed, while somebody types. */
export function Lines({ label, hint, error, value, onChange }: LinesProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label} hint={hint} error={error}>
      <textarea
        rows={2}
        maxLength={20_000}
        value={typed ?? value}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(currentTarget.value);
        }}
        onBlur={() => setTyped(null)}
      />
    </Field>
  );
}
