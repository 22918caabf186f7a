import { type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { allPages } from '../api/all-pages.ts';
import { sessionEnded } from '../api/call.ts';
import { member } from '../api/member.ts';

export interface Colleague {
  readonly id: string;
  readonly name: string;
}

/** The events of a list to choose one from, which stays what it is while it has the focus. */
export interface ListEvents {
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

/** For how long they are taken to be the same ones. */
const freshMs = 60_000;
/** How long after a first read that failed they are asked for again. */
const retryMs = 10_000;
/** Organisations whose colleagues are kept, the ones that were needed last. */
const maxOrganisations = 10;

interface Kept {
  readonly colleagues: Signal<readonly Colleague[] | null>;
  /** Null: they have to be asked for. */
  askedAt: number | null;
  /** Counts what they were asked for by, and what made an answer to that old. */
  asks: number;
}

const kept = new Map<string, Kept>();
/** The member whose colleagues they are. */
let whose: string | undefined;

function keptOf(tenantId: string): Kept {
  if (whose !== member.value?.id) kept.clear();
  whose = member.value?.id;
  const found = kept.get(tenantId) ?? { colleagues: signal(null), askedAt: null, asks: 0 };
  kept.delete(tenantId);
  kept.set(tenantId, found);
  const [oldest] = kept.keys();
  if (kept.size > maxOrganisations && oldest !== undefined) kept.delete(oldest);
  return found;
}

/** Who can look after conversations of an organisation; null until that is known. */
export const colleaguesOf = (tenantId: string): readonly Colleague[] | null =>
  keptOf(tenantId).colleagues.value;

/** Asks who they are, where nobody has for a minute. */
export async function askForColleagues(tenantId: string): Promise<void> {
  const found = keptOf(tenantId);
  if (found.askedAt !== null && performance.now() - found.askedAt < freshMs) return;
  found.askedAt = performance.now();
  const ask = ++found.asks;
  try {
    const all = await allPages<Colleague>(`/inbox/colleagues?tenantId=${tenantId}`);
    if (ask === found.asks) found.colleagues.value = all;
  } catch {
    // Those of before are still the likeliest ones, and whoever needs them next asks again.
    if (ask === found.asks) found.askedAt = null;
  }
}

/** Asks who they are, and again until that is known once: some lists are only there then. Gives what ends it. */
export function askUntilKnown(tenantId: string): () => void {
  void askForColleagues(tenantId);
  const timer = setInterval(() => {
    if (colleaguesOf(tenantId) === null) void askForColleagues(tenantId);
    else clearInterval(timer);
  }, retryMs);
  return () => clearInterval(timer);
}

/** Called where members were changed: whoever needs colleagues next asks, and what was asked before is no answer. */
export function outdateColleagues(): void {
  for (const each of kept.values()) {
    each.askedAt = null;
    each.asks += 1;
  }
}

/**
 * The same for a view that lets somebody choose one. It has them asked for again when its list gets the focus. A list that
 * is open and changes gives another one than who was chosen: until it loses the focus, it stays what it was.
 */
export function useColleagues(tenantId: string) {
  const known = colleaguesOf(tenantId);
  const [held, setHeld] = useState<{ readonly colleagues: readonly Colleague[] | null } | null>(null);
  // Also when somebody is back whose session had ended.
  const ended = sessionEnded.value;
  useEffect(() => (ended ? undefined : askUntilKnown(tenantId)), [tenantId, ended]);
  const listEvents: ListEvents = {
    onFocus: () => {
      setHeld({ colleagues: known });
      void askForColleagues(tenantId);
    },
    onBlur: () => setHeld(null),
  };
  return { colleagues: held?.colleagues ?? known, listEvents };
}
