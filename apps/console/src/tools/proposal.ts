import type { ToolEntries } from './tool-entries.ts';

/** A tool made of something else, to be looked over before it is saved. */
export interface Proposal {
  readonly entries: Partial<ToolEntries>;
  /** What could not be taken over, or needs a look. */
  readonly remarks: readonly string[];
}

/** A name that a tool may have. */
export function toolName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[^A-Za-z]+|_+$/g, '')
    .toLowerCase()
    .slice(0, 64);
  return name || 'request';
}

/** Of several names the one that is still free: `order`, `order_2`. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; taken(free); count += 1) free = `${name}_${count}`;
  return free;
}
