import type { InboxChange, InboxItem, InboxView } from '@parley/protocol/settings/inbox';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, type Page, sessionEnded } from '../api/call.ts';
import { member } from '../api/member.ts';
import { followLines } from './follow-lines.ts';
import type { InboxFilter } from './inbox-filters.tsx';
import { placed, refreshed } from './place-item.ts';
import { whileSeen } from './while-seen.ts';

/** How often the first page is looked at again, should a change not have been sent. */
const lookAgainMs = 60_000;
/** Pages that are asked for at once where they have nothing of what is looked for. */
const maxEmptyPages = 10;

type Changed = Exclude<InboxChange, { type: 'missed' }>;

interface Listed {
  readonly items: readonly InboxItem[];
  readonly next: string | null;
  /** The last pages that were asked for had nothing. */
  readonly isSparse: boolean;
}

/**
 * A view of the inbox: as it changes while it is on a screen, and further as it is asked for. What was looked for stays
 * where it was found, and only how it stands changes.
 */
export function useInboxList(tenantId: string, view: InboxView, search: string, filter: InboxFilter) {
  const { agentId } = filter;
  const memberId = view === 'mine' ? filter.memberId : '';
  const [listed, setListed] = useState<Listed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  const isBusy = useRef(false);
  const current = useRef('');
  const wanted = JSON.stringify([view, search, agentId, memberId]);
  current.current = wanted;

  const read = useCallback(
    (cursor: string | null) => {
      const query = new URLSearchParams({
        tenantId,
        view,
        limit: '100',
        ...(agentId !== '' && { agentId }),
        ...(memberId !== '' && { memberId }),
        ...(search !== '' && { search }),
        ...(cursor !== null && { cursor }),
      });
      return call<Page<InboxItem>>('GET', `/inbox?${query}`);
    },
    [tenantId, view, search, agentId, memberId],
  );

  const load = useCallback(
    async (before: Listed | null) => {
      if (isBusy.current && before) return;
      isBusy.current = true;
      setLoading(true);
      try {
        let next = before?.next ?? null;
        const added: InboxItem[] = [];
        for (let asked = 0; asked < maxEmptyPages && added.length === 0; asked += 1) {
          const page = await read(next);
          added.push(...page.items);
          next = page.next;
          if (next === null) break;
        }
        if (current.current !== wanted) return;
        setListed((now) => {
          // What was looked at again was asked for later.
          if (now && !before) return now;
          const items = now?.items ?? [];
          const known = new Set(items.map(({ id }) => id));
          return {
            items: [...items, ...added.filter(({ id }) => !known.has(id))],
            next,
            isSparse: added.length === 0,
          };
        });
        setProblem(null);
      } catch (error) {
        if (current.current === wanted) setProblem(sentenceOf(error));
      } finally {
        isBusy.current = false;
        setLoading(false);
      }
    },
    [wanted, read],
  );

  const ended = sessionEnded.value;
  useEffect(() => {
    setListed(null);
    if (!ended) void load(null);
  }, [load, ended]);

  useEffect(() => {
    if (ended) return;
    const place = (before: Listed, change: Changed): Listed => ({
      ...before,
      items:
        change.type === 'removed'
          ? before.items.filter(({ id }) => id !== change.id)
          : search === ''
            ? placed(before.items, change.item, {
                view,
                memberId: memberId || member.value?.id,
                isWhole: before.next === null,
              })
            : before.items.map((known) => (known.id === change.item.id ? change.item : known)),
    });
    /** What came over the stream while a first page was read, which may be older. */
    const meanwhile = new Set<Changed[]>();
    const lookAgain = async () => {
      if (search !== '') return;
      const newer: Changed[] = [];
      meanwhile.add(newer);
      try {
        const { items, next } = await read(null);
        if (current.current !== wanted) return;
        setListed((before) => {
          if (!before && items.length === 0 && next !== null) return null;
          const known = before?.items ?? [];
          const again = {
            isSparse: before?.isSparse ?? items.length === 0,
            items: refreshed(known, items, { view, isWhole: next === null }),
            next: next === null ? null : (before?.next ?? (known.length > items.length ? null : next)),
          };
          return newer.reduce(place, again);
        });
      } catch {
        // What could not be read is read the next time.
      } finally {
        meanwhile.delete(newer);
      }
    };
    const take = (line: string) => {
      // What the service sends, it has checked.
      const change = JSON.parse(line) as InboxChange;
      if (change.type === 'missed') return void lookAgain();
      for (const changes of meanwhile) changes.push(change);
      setListed((before) => before && place(before, change));
    };
    const query = new URLSearchParams({ tenantId, ...(agentId !== '' && { agentId }) });
    const following = { take, opened: () => void lookAgain() };
    const leave = whileSeen((ending) => void followLines(() => `/inbox/stream?${query}`, following, ending));
    const timer = setInterval(() => document.hidden || void lookAgain(), lookAgainMs);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [tenantId, view, search, agentId, memberId, ended, read, wanted]);

  const more = useCallback(() => void (listed && load(listed)), [load, listed]);
  return {
    items: listed?.items ?? null,
    problem,
    isLoading,
    // Of a list without a row none can be near its end, which would ask for more.
    isSparse: listed !== null && (listed.isSparse || listed.items.length === 0),
    more: listed?.next == null ? null : more,
  };
}
