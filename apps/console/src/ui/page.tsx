import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  /** Where it stands, from the outside in. */
  readonly trail?: readonly { readonly name: string; readonly href?: string }[];
  readonly lead?: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A screen: its heading takes the focus, so that a new one is read from its beginning. It does so before anything is seen:
 * whoever begins to type at once keeps the focus.
 */
export function Page({ title, trail = [], lead, action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} – Parley`;
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [title]);
  return (
    <>
      {trail.length > 0 && (
        <nav class="trail" aria-label="Breadcrumb">
          <ol>
            {trail.map(({ name, href }) => (
              <li key={name}>{href === undefined ? name : <a href={href}>{name}</a>}</li>
            ))}
          </ol>
        </nav>
      )}
      <header class="page-header">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </>
  );
}
