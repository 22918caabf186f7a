import { useCallback, useEffect, useState } from 'preact/hooks';
import { allPages } from '../api/all-pages.ts';
import { sentenceOf } from '../api/api-error.ts';
import { sessionEnded } from '../api/call.ts';

/** A whole list of the settings API, for what chooses from it; null until it is there. */
export function useAll<Item>(list: string) {
  const [items, setItems] = useState<readonly Item[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      setItems(await allPages<Item>(list));
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [list]);
  // Also when somebody is back whose session had ended.
  const ended = sessionEnded.value;
  useEffect(() => {
    if (!ended) void reload();
  }, [reload, ended]);
  return { items, problem, reload };
}
