import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DoorProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ComponentChildren;
}

/** What stands before the console, with one thing to do. */
export function Door({ title, lead, children }: DoorProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const before = document.title;
    document.title = `${title} – Parley`;
    heading.current?.focus();
    return () => {
      document.title = before;
    };
  }, [title]);
  return (
    <main class="door">
      <p class="brand">
        <span class="mark" aria-hidden="true" />
        Parley
      </p>
      <section class="card">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p class="lead">{lead}</p>
        {children}
      </section>
    </main>
  );
}
