import { useState } from 'preact/hooks';

const confirmedMs = 2_000;

/** Text to be copied. */
export function Code({ label, text }: { readonly label: string; readonly text: string }) {
  const [outcome, setOutcome] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      setOutcome('Select it and copy');
    }
    setTimeout(() => setOutcome('Copy'), confirmedMs);
  };
  return (
    <div class="code">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <button type="button" class="button small" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
        <span aria-live="polite">{outcome}</span>
      </button>
    </div>
  );
}
