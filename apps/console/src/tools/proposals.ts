import type { Proposal } from './proposal.ts';
import { freeName } from './proposal.ts';

/** Where proposals wait in the tab until somebody has looked them over. */
const key = 'tools to look over';

interface Waiting {
  readonly left: readonly Proposal[];
  readonly of: number;
}

/** The secrets of the first one: they are written nowhere, and a reload asks for them again. */
let secrets: string | undefined;

/** Has these tools looked over, one after the other. */
export function propose(proposals: readonly Proposal[]): void {
  const names = new Set<string>();
  const left = proposals.map(({ entries, remarks }) => {
    const { secrets: entered, ...written } = entries;
    if (proposals.length === 1) secrets = entered;
    const name = freeName(entries.name ?? 'request', (each) => names.has(each));
    names.add(name);
    return { remarks, entries: { ...written, name } };
  });
  write({ left, of: left.length });
}

/** The first of those that wait, and which it is. */
export function firstProposal(): { proposal: Proposal; index: number; of: number } | null {
  const { left, of } = read();
  const [first] = left;
  if (first === undefined) return null;
  const entries = { ...first.entries, ...(secrets !== undefined && { secrets }) };
  return { proposal: { ...first, entries }, index: of - left.length + 1, of };
}

/** The first one is saved, or not wanted. */
export function dropProposal(): void {
  secrets = undefined;
  const { left, of } = read();
  write({ left: left.slice(1), of });
}

/** None of the rest is wanted. */
export function dropProposals(): void {
  secrets = undefined;
  sessionStorage.removeItem(key);
}

function read(): Waiting {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '') as Waiting;
  } catch {
    return { left: [], of: 0 };
  }
}

function write(waiting: Waiting): void {
  if (waiting.left.length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(waiting));
}
