import { type Signal, signal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import { allPages } from '../api/all-pages.ts';
import { sessionEnded } from '../api/call.ts';
import { member } from '../api/member.ts';

export interface Colleague {
  readonly id: string;
  readonly name: string;
}

/** For how long they are taken to be the same ones. */
const freshMs = 60_000;
/** Organisations whose colleagues are kept, the ones that were needed last. */
const maxOrganisations = 10;

interface Kept {
  readonly colleagues: Signal<readonly Colleague[] | null>;
  /** Null: they have to be asked for. */
  askedAt: number | null;
}

const kept = new Map<string, Kept>();
/** The member whose colleagues they are. */
let whose: string | undefined;

function keptOf(tenantId: string): Kept {
  if (whose !== member.value?.id) kept.clear();
  whose = member.value?.id;
  const found = kept.get(tenantId) ?? { colleagues: signal(null), askedAt: null };
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
  if (found.askedAt !== null && Date.now() - found.askedAt < freshMs) return;
  found.askedAt = Date.now();
  try {
    found.colleagues.value = await allPages<Colleague>(`/inbox/colleagues?tenantId=${tenantId}`);
  } catch {
    // Those of before are still the likeliest ones, and whoever needs them next asks again.
    found.askedAt = null;
  }
}

/** The same for a view, and what asks for them again, as a list of them that is opened does. */
export function useColleagues(tenantId: string) {
  const refresh = useCallback(() => void askForColleagues(tenantId), [tenantId]);
  // Also when somebody is back whose session had ended.
  const ended = sessionEnded.value;
  useEffect(() => {
    if (!ended) refresh();
  }, [refresh, ended]);
  return { colleagues: colleaguesOf(tenantId), refresh };
}
