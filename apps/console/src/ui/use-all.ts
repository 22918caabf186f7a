import { useCallback, useEffect, useState } from 'preact/hooks';
import { allPages } from '../api/all-pages.ts';
import { sentenceOf } from '../api/api-error.ts';
import { revalidation } from '../api/call.ts';
import { useAsking } from './use-asking.ts';

/** A whole list of the settings API, for what chooses from it; null until it is there. */
export function useAll<Item>(list: string) {
  const [items, setItems] = useState<readonly Item[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const ask = useAsking(list);
  const reload = useCallback(async () => {
    const isNews = ask();
    try {
      const all = await allPages<Item>(list);
      if (!isNews()) return;
      setItems(all);
      setProblem(null);
    } catch (error) {
      if (isNews()) setProblem(sentenceOf(error));
    }
  }, [list, ask]);
  // Also when somebody is back whose session had ended, or the service is.
  const round = revalidation.value;
  useEffect(() => {
    if (round !== null) void reload();
  }, [reload, round]);
  return { items, problem, reload };
}
