import type { SourceView } from '@parley/protocol/settings/source';
import { forgetEntries, keepEntries, keptEntries } from '../ui/kept-entries.ts';

const nameOf = (id: string): string => `source ${id} before`;

/** A source as it was when the changes were begun that are kept of it; null: there are none. */
export function keptSource(id: string): SourceView | null {
  const { source } = keptEntries(nameOf(id));
  return source === undefined ? null : (JSON.parse(source) as SourceView);
}

/** Kept with the changes: without it nobody knows after a reload what somebody else has changed since. */
export function keepSource(id: string, source: SourceView | null): void {
  if (source === null) forgetEntries(nameOf(id));
  else keepEntries(nameOf(id), { source: JSON.stringify(source) });
}
