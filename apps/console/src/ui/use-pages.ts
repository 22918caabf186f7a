import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, type Page, revalidation, sessionEnded } from '../api/call.ts';
import { useAsking } from './use-asking.ts';

/** A list of the settings API, page by page; null until the first one is there. */
export function usePages<Item>(list: string, limit = 50) {
  const [pages, setPages] = useState<readonly (readonly Item[])[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);

  const ask = useAsking(list);
  /** What somebody has unfolded stays so when the list is asked for again. */
  const unfolded = useRef({ list, pages: 1 });
  if (unfolded.current.list !== list) unfolded.current = { list, pages: 1 };
  const load = useCallback(
    async (cursor: string | null) => {
      // Behind the door, where it is asked for again and again while something is read.
      if (sessionEnded.value) return;
      const separator = list.includes('?') ? '&' : '?';
      const pageAt = (at: string | null) => {
        const after = at === null ? '' : `&cursor=${encodeURIComponent(at)}`;
        return call<Page<Item>>('GET', `${list}${separator}limit=${limit}${after}`);
      };
      const isNews = ask();
      setLoading(true);
      try {
        let page = await pageAt(cursor);
        const found = [page.items];
        while (cursor === null && page.next !== null && found.length < unfolded.current.pages) {
          page = await pageAt(page.next);
          found.push(page.items);
        }
        if (!isNews()) return;
        if (cursor !== null) unfolded.current.pages += 1;
        setPages((before) => [...(cursor === null ? [] : (before ?? [])), ...found]);
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
  // Also when somebody is back whose session had ended, or the service is.
  const round = revalidation.value;
  useEffect(() => {
    if (round !== null) void reload();
  }, [reload, round]);

  const items = useMemo(() => pages?.flat() ?? null, [pages]);
  /** The page that is being asked for: asked for by a second click, it would be listed twice. */
  const asking = useRef<string | null>(null);
  const goOn = useCallback(async () => {
    const page = `${list} ${next}`;
    if (asking.current === page) return;
    asking.current = page;
    await load(next);
    asking.current = null;
  }, [load, list, next]);
  return { items, pages, problem, isLoading, reload, more: next === null ? null : goOn };
}
