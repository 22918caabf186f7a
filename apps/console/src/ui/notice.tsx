import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { lastFailure } from '../api/call.ts';

interface ProblemProps {
  readonly children: ComponentChildren;
  /** How something is, and not what came of what was just done: it stays at its place. */
  readonly isState?: boolean;
}

/** Why something failed. It stays in sight of whoever has scrolled on, and is announced again when it failed once more. */
export function Problem({ children, isState = false }: ProblemProps) {
  const { sentence, count } = lastFailure.value;
  /** Another paragraph with each failure, without which a screen reader says the same sentence once. */
  const paragraph = useRef(0);
  if (sentence === children) paragraph.current = count;
  return (
    <p key={paragraph.current} class="notice problem" role="alert" data-state={isState || undefined}>
      {children}
    </p>
  );
}

export const Loading = () => (
  <div class="skeleton" role="status" aria-label="Loading">
    <i />
    <i />
    <i />
  </div>
);
