import type { InboxChange, InboxItem, InboxView } from '@parley/protocol/settings/inbox';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, type Page, sessionEnded } from '../api/call.ts';
import { member } from '../api/member.ts';
import { followLines } from './follow-lines.ts';
import type { InboxFilter } from './inbox-filters.tsx';
import { placed, refreshed } from './place-item.ts';
import { readOn, type ReadRows } from './read-on.ts';
import { throttle } from './throttle.ts';
import { whileSeen } from './while-seen.ts';

/** How often the first page is looked at again, should a change not have been sent. */
const lookAgainMs = 60_000;
/** Pages that are asked for at once where they have nothing of what is looked for. */
const maxEmptyPages = 10;
/** Pages that are read again at most; what was unfolded behind them is unfolded anew. */
const maxPagesAgain = 50;
/** The least time from one look at a list to the next. A stream that breaks again and again asks for no more. */
const intervalMs = 10_000;
/** Over so long the consoles spread that are told the same at once, as when the service was started again. */
const jitterMs = 5_000;

type Changed = Exclude<InboxChange, { type: 'missed' }>;

/** What was told of the conversation that is open. */
export interface Told {
  readonly id: string;
  /** How it stands; null: it may have changed, and nobody knows in what. */
  readonly item: InboxItem | null;
}

/**
 * A view of the inbox: as it changes while it is on a screen, and further as it is asked for. What was looked for stays
 * where it was found, and only how it stands changes. What is told of the conversation that is open is given in any view.
 */
export function useInboxList(
  tenantId: string,
  view: InboxView,
  search: string,
  filter: InboxFilter,
  openId: string | undefined,
) {
  const { agentId } = filter;
  const memberId = view === 'mine' ? filter.memberId : '';
  const [listed, setListed] = useState<ReadRows | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [told, setTold] = useState<Told | null>(null);
  const open = useRef(openId);
  open.current = openId;
  const isBusy = useRef(false);
  const shown = useRef<ReadRows | null>(null);
  shown.current = listed;
  /** Aborted once what is asked for by then is of a view that was left. */
  const signal = useRef(AbortSignal.abort());

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

  const ended = sessionEnded.value;
  // Of the layout, so that nothing of the view before is taken once another one is drawn.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    signal.current = leaving.signal;
    return () => {
      leaving.abort();
      isBusy.current = false;
    };
  }, [read, ended]);

  const load = useCallback(
    async (before: ReadRows | null) => {
      if (isBusy.current && before) return;
      const ending = signal.current;
      isBusy.current = true;
      setLoading(true);
      try {
        const from = before?.next ?? null;
        const added = await readOn(read, {
          from,
          rows: () => 1,
          maxPages: () => maxEmptyPages,
          signal: ending,
        });
        setListed((now) => {
          // What was looked at again was asked for later.
          if (now && !before) return now;
          // Read again meanwhile, it ends elsewhere: a copy of it asks for what follows there.
          if (before && now?.next !== from) return now && { ...now };
          const items = now?.items ?? [];
          const known = new Set(items.map(({ id }) => id));
          return {
            ...added,
            items: [...items, ...added.items.filter(({ id }) => !known.has(id))],
            pages: (now?.pages ?? 0) + added.pages,
          };
        });
        setProblem(null);
      } catch (error) {
        if (!ending.aborted) setProblem(sentenceOf(error));
      } finally {
        if (!ending.aborted) {
          isBusy.current = false;
          setLoading(false);
        }
      }
    },
    [read],
  );

  useEffect(() => {
    setListed(null);
    if (!ended) void load(null);
  }, [load, ended]);

  useEffect(() => {
    if (ended) return;
    const ending = signal.current;
    const place = (before: ReadRows, change: Changed): ReadRows => ({
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
    /** Until the rows are read again, any of them may have left, and others may have come. */
    let hasMissed = false;
    /** What comes over the stream while pages are read, which may be older; null: none are read. */
    let newer: Changed[] | null = null;
    /** A conversation that is open may have changed unheard, too, also where it is behind the rows or of another agent. */
    const tellAgain = (items: readonly InboxItem[]) => {
      const id = open.current;
      if (id !== undefined) setTold({ id, item: items.find((item) => item.id === id) ?? null });
    };
    const lookAgain = async () => {
      if (search !== '') {
        hasMissed = false;
        return tellAgain([]);
      }
      const known = shown.current;
      const wasMissed = hasMissed;
      const isWhole = known === null ? !isBusy.current : wasMissed;
      hasMissed = false;
      const since: Changed[] = [];
      newer = since;
      try {
        const again = await readOn(read, {
          from: null,
          rows: () => Math.max(shown.current?.items.length ?? 0, 1),
          maxPages: () =>
            isWhole ? Math.min(Math.max(shown.current?.pages ?? 0, maxEmptyPages), maxPagesAgain) : 1,
          signal: ending,
        });
        setListed((now) => {
          // What is being loaded goes on behind a first page that has nothing.
          if (!now && !isWhole && again.items.length === 0 && again.next !== null) return null;
          return since.reduce(place, isWhole || !now ? again : withFirstPage(now, again, view));
        });
        setProblem(null);
        // What is newer has told of itself.
        if (wasMissed && !since.some((change) => idOf(change) === open.current)) tellAgain(again.items);
      } catch {
        // What could not be read is read the next time.
        hasMissed ||= wasMissed;
      } finally {
        newer = null;
      }
    };
    const looks = throttle(lookAgain, intervalMs);
    const readMissed = (within: number) => {
      hasMissed = true;
      looks.request(within);
    };
    const take = (line: string) => {
      // What the service sends, it has checked.
      const change = JSON.parse(line) as InboxChange;
      if (change.type === 'missed') return readMissed(jitterMs);
      newer?.push(change);
      if (change.type === 'changed' && change.item.id === open.current)
        setTold({ id: change.item.id, item: change.item });
      setListed((before) => before && place(before, change));
    };
    const query = new URLSearchParams({ tenantId, ...(agentId !== '' && { agentId }) });
    const leave = whileSeen((hidden) => {
      let isBack = true;
      const opened = () => {
        // Somebody who comes to look waits for no other console, and for what was read a moment ago.
        readMissed(isBack ? 0 : jitterMs);
        isBack = false;
      };
      void followLines(() => `/inbox/stream?${query}`, { take, opened }, hidden);
      hidden.addEventListener('abort', looks.cancel);
    });
    const timer = setInterval(() => document.hidden || search !== '' || looks.request(0), lookAgainMs);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [tenantId, view, search, agentId, memberId, ended, read]);

  const more = useCallback(() => void (listed && load(listed)), [load, listed]);
  return {
    items: listed?.items ?? null,
    problem,
    isLoading,
    // Of a list without a row none can be near its end, which would ask for more.
    isSparse: listed !== null && (listed.isSparse || listed.items.length === 0),
    more: listed?.next == null ? null : more,
    told: told?.id === openId ? told : null,
  };
}

const idOf = (change: Changed): string => (change.type === 'removed' ? change.id : change.item.id);

/** The list with its first page as it is by now. */
function withFirstPage(before: ReadRows, { items, next }: ReadRows, view: InboxView): ReadRows {
  return {
    ...before,
    items: refreshed(before.items, items, { view, isWhole: next === null }),
    next: next === null ? null : (before.next ?? (before.items.length > items.length ? null : next)),
  };
}
