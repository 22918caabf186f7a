import type { Proposal } from './proposal.ts';
import { freeName } from './proposal.ts';

/** Where the proposals for an organisation wait in the tab until somebody has looked them over. */
const keyOf = (tenantId: string): string => `tools of ${tenantId} to look over`;

interface Waiting {
  readonly left: readonly Proposal[];
  readonly of: number;
}

/** By organisation, the secrets of the first one: they are written nowhere, and a reload asks for them again. */
const secrets = new Map<string, string>();

/** Has these tools looked over, one after the other. */
export function propose(tenantId: string, proposals: readonly Proposal[]): void {
  secrets.delete(tenantId);
  const names = new Set<string>();
  const left = proposals.map(({ entries, remarks }) => {
    const { secrets: entered, ...written } = entries;
    if (proposals.length === 1 && entered !== undefined) secrets.set(tenantId, entered);
    const name = freeName(entries.name ?? 'request', (each) => names.has(each));
    names.add(name);
    return { remarks, entries: { ...written, name } };
  });
  write(tenantId, { left, of: left.length });
}

/** The first of those that wait, and which it is. */
export function firstProposal(tenantId: string): { proposal: Proposal; index: number; of: number } | null {
  const { left, of } = read(tenantId);
  const [first] = left;
  if (first === undefined) return null;
  const entered = secrets.get(tenantId);
  const entries = { ...first.entries, ...(entered !== undefined && { secrets: entered }) };
  return { proposal: { ...first, entries }, index: of - left.length + 1, of };
}

/** The first one is saved, or not wanted. */
export function dropProposal(tenantId: string): void {
  secrets.delete(tenantId);
  const { left, of } = read(tenantId);
  write(tenantId, { left: left.slice(1), of });
}

/** None of the rest is wanted. */
export function dropProposals(tenantId: string): void {
  secrets.delete(tenantId);
  sessionStorage.removeItem(keyOf(tenantId));
}

function read(tenantId: string): Waiting {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(tenantId)) ?? '') as Waiting;
  } catch {
    return { left: [], of: 0 };
  }
}

function write(tenantId: string, waiting: Waiting): void {
  if (waiting.left.length === 0) sessionStorage.removeItem(keyOf(tenantId));
  else sessionStorage.setItem(keyOf(tenantId), JSON.stringify(waiting));
}
