import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface FurtherProps {
  readonly summary: string;
  /** Something in it is wrong: it cannot stay closed. */
  readonly hasErrors: boolean;
  readonly children: ComponentChildren;
}

/** What few need, behind a line that says what it is. */
export function Further({ summary, hasErrors, children }: FurtherProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (hasErrors && details.current) details.current.open = true;
  }, [hasErrors]);
  return (
    <details class="further" ref={details}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
