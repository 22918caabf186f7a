import { useState } from 'preact/hooks';
import { CardIcon } from './card-icon.tsx';
import { useWidget } from '../widget-context.ts';

const confirmedFor = 2_000;

export function CopyButton({ text }: { text: string }) {
  const { label } = useWidget();
  const [outcome, setOutcome] = useState<'copy' | 'copied' | 'copyFailed'>('copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('copyFailed');
    }
    setTimeout(() => setOutcome('copy'), confirmedFor);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      <CardIcon name={outcome === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{label(outcome)}</span>
    </button>
  );
}
