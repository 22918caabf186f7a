import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from './notice.tsx';
import { useCurrentInView } from './use-current-in-view.ts';

interface Section {
  readonly name: string;
  readonly view: ComponentChildren;
}

/** The sections of a long form, and the way to each of them. */
export function Sections({
  label,
  sections,
  problem,
}: {
  readonly label: string;
  readonly sections: readonly Section[];
  /** Why the form was not sent. It is seen below the names, which would cover it. */
  readonly problem: string | null;
}) {
  const [current, setCurrent] = useState(sections[0]?.name);
  const row = useCurrentInView(current ?? '');
  const form = useRef<HTMLDivElement>(null);
  const places = useRef(new Map<string, HTMLElement>());
  const names = sections.map(({ name }) => name).join();
  useEffect(() => {
    const [first] = places.current.values();
    if (!form.current || !row.current || !first) return;
    const seen = new Set<string>();
    const see = (entries: readonly IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) {
        const name = (target as HTMLElement).dataset['section'] ?? '';
        if (isIntersecting) seen.add(name);
        else seen.delete(name);
      }
      const uppermost = names.split(',').find((name) => seen.has(name));
      if (uppermost !== undefined) setCurrent(uppermost);
    };
    let watch: IntersectionObserver | undefined;
    // The names stand beside the sections, or above them in as many lines as they need.
    const lines = new ResizeObserver(() => {
      // An effect ends a moment after what it watches has left the page, which is told as a change of its size.
      if (!form.current || !row.current) return;
      form.current.style.setProperty('--names-height', `${row.current.offsetHeight}px`);
      watch?.disconnect();
      seen.clear();
      // The first section where one goes to, the one before being just out of sight, is what one is at.
      const top = parseFloat(getComputedStyle(first).scrollMarginTop) + 12;
      watch = new IntersectionObserver(see, { rootMargin: `-${top}px 0px -50% 0px` });
      for (const place of places.current.values()) watch.observe(place);
    });
    lines.observe(row.current);
    return () => {
      lines.disconnect();
      watch?.disconnect();
    };
  }, [names]);
  const goTo = (name: string) => {
    const place = places.current.get(name);
    place?.scrollIntoView({ block: 'start' });
    place?.focus({ preventScroll: true });
    setCurrent(name);
  };
  return (
    <div class="sections" ref={form}>
      <nav aria-label={label} ref={row}>
        <ul>
          {sections.map(({ name }) => (
            <li key={name}>
              <button
                type="button"
                aria-current={name === current ? 'location' : undefined}
                onClick={() => goTo(name)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div class="sections-body">
        {problem && <Problem>{problem}</Problem>}
        {sections.map(({ name, view }) => (
          <div
            key={name}
            class="section-place"
            data-section={name}
            tabIndex={-1}
            ref={(place) => {
              if (place) places.current.set(name, place);
              else places.current.delete(name);
            }}
          >
            {view}
          </div>
        ))}
      </div>
    </div>
  );
}
