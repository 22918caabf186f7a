import type { SourceView } from '@parley/protocol/settings/source';
import type { SourcePageView } from '@parley/protocol/settings/website';
import { useEffect } from 'preact/hooks';
import { usePages } from '../ui/use-pages.ts';
import { countOf } from '../ui/count-of.ts';

/** The pages of a website as they come in, and those that were left out. */
export function WhatWasRead({ source }: { readonly source: SourceView }) {
  const { id, name, reading } = source;
  const { items, reload } = usePages<SourcePageView>(`/sources/${id}/pages`);
  useEffect(() => void reload(), [reading.pages, reading.status, reload]);
  const isReading = reading.status === 'waiting' || reading.status === 'reading';
  const skipped = reading.problemCount;
  return (
    <section class="card">
      <h2>What it read</h2>
      <p role="status">
        {isReading
          ? `Reading ${name}: ${pages(reading.pages)} so far. You can ask already.`
          : reading.pages === 0
            ? `Nothing of ${name} could be read. Add text or a file under Knowledge.`
            : `${pages(reading.pages)} of ${name}. They are read again every day.`}
      </p>
      {items !== null && items.length > 0 && (
        <ul class="titles" tabIndex={0} aria-label="Pages that were read">
          {items.map(({ title, address }) => (
            <li key={address ?? title}>
              <span>{title}</span>
              <span class="meta">{pathOf(address)}</span>
            </li>
          ))}
        </ul>
      )}
      {!isReading && skipped > 0 && (
        <details>
          <summary class="meta">
            {skipped === 1 ? '1 page was skipped' : `${skipped} pages were skipped`}
          </summary>
          <ul class="meta stack">
            {reading.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const pages = (count: number) => countOf(count, 'page');

const pathOf = (address: string | null) => URL.parse(address ?? '')?.pathname ?? '';
