import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useCurrentInView } from './use-current-in-view.ts';

interface Section {
  readonly name: string;
  readonly view: ComponentChildren;
}

/** The sections of a long form, and the way to each of them. */
export function Sections({
  label,
  sections,
}: {
  readonly label: string;
  readonly sections: readonly Section[];
}) {
  const [current, setCurrent] = useState(sections[0]?.name);
  const row = useCurrentInView(current ?? '');
  const places = useRef(new Map<string, HTMLElement>());
  const names = sections.map(({ name }) => name).join();
  useEffect(() => {
    const seen = new Set<string>();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const name = (target as HTMLElement).dataset['section'] ?? '';
          if (isIntersecting) seen.add(name);
          else seen.delete(name);
        }
        const first = names.split(',').find((name) => seen.has(name));
        if (first !== undefined) setCurrent(first);
      },
      // The first section below the row of names, where the one before is just out of sight, is what one is at.
      { rootMargin: '-120px 0px -50% 0px' },
    );
    for (const place of places.current.values()) watch.observe(place);
    return () => watch.disconnect();
  }, [names]);
  const goTo = (name: string) => {
    const place = places.current.get(name);
    place?.scrollIntoView({ block: 'start' });
    place?.focus({ preventScroll: true });
    setCurrent(name);
  };
  return (
    <div class="sections">
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
