import type { InputOption } from '@parley/protocol/ask';

/** An option of a question, in the direction of its own words. */
export function OptionLabel({ label, description }: InputOption) {
  return (
    <span dir="auto">
      {label}
      {description && <span class="meta option-more">{description}</span>}
    </span>
  );
}
