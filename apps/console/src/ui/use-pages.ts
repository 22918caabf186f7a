import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, type Page, sessionEnded } from '../api/call.ts';
import { useAsking } from './use-asking.ts';

/** A list of the settings API, page by page; null until the first one is there. */
export function usePages<Item>(list: string, limit = 50) {
  const [pages, setPages] = useState<readonly (readonly Item[])[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);

  const ask = useAsking(list);
  const load = useCallback(
    async (cursor: string | null) => {
      // Behind the door, where it is asked for again and again while something is read.
      if (sessionEnded.value) return;
      const separator = list.includes('?') ? '&' : '?';
      const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const isNews = ask();
      setLoading(true);
      try {
        const page = await call<Page<Item>>('GET', `${list}${separator}limit=${limit}${after}`);
        if (!isNews()) return;
        setPages((before) => [...(cursor === null ? [] : (before ?? [])), page.items]);
        setNext(page.next);
        setProblem(null);
      } catch (error) {
        if (isNews()) setProblem(sentenceOf(error));
      } finally {
        setLoading(false);
      }
    },
    [list, limit, ask],
  );
  const reload = useCallback(() => load(null), [load]);
  // Also when somebody is back whose session had ended.
  const ended = sessionEnded.value;
  useEffect(() => {
    if (!ended) void reload();
  }, [reload, ended]);

  const items = useMemo(() => pages?.flat() ?? null, [pages]);
  const goOn = useCallback(() => load(next), [load, next]);
  return { items, pages, problem, isLoading, reload, more: next === null ? null : goOn };
}
