import type { Inline } from './assemble-inline.ts';
import { parseInline } from './inline.ts';
import { linkAddresses } from './link-addresses.ts';
import { readStanding } from './read-standing.ts';

/** Reads inline markdown with the addresses that stand in it for themselves; those that may still grow are not linked. */
export function readInline(source: string, open = false): Inline[] {
  const nodes = parseInline(source, open, readStanding);
  return open ? nodes : linkAddresses(nodes);
}
