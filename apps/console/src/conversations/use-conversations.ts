import type { ConversationView } from '@parley/protocol/settings/conversation';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, type Page, revalidation, sessionEnded } from '../api/call.ts';
import { mergeLatest } from './merge-latest.ts';

/** How often the first page is looked at again, while it is on a screen. */
const lookAgainMs = 5_000;
/** So many are drawn in one go. */
const perPage = 50;
/** Pages that are asked for at once where they have nothing of what is looked for. */
const maxEmptyPages = 10;

interface Listed {
  /** What they are the answer to. */
  readonly query: string;
  readonly pages: readonly (readonly ConversationView[])[];
  readonly next: string | null;
  /** The last pages that were asked for had nothing. */
  readonly isSparse: boolean;
}

/** The conversations of a query, page by page, the first of which stays up to date; null until it is there. */
export function useConversations(query: string) {
  const [listed, setListed] = useState<Listed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  const current = useRef(query);
  current.current = query;

  const read = useCallback(
    (cursor: string | null) =>
      call<Page<ConversationView>>(
        'GET',
        `/conversations?${query}&limit=${perPage}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      ),
    [query],
  );

  const load = useCallback(
    async (before: Listed | null) => {
      setLoading(true);
      try {
        let pages = before?.pages ?? [];
        let next = before?.next ?? null;
        let isSparse = true;
        for (let asked = 0; asked < maxEmptyPages; asked += 1) {
          const page = await read(next);
          const known = new Set(pages.flat().map(({ id }) => id));
          const items = page.items.filter(({ id }) => !known.has(id));
          next = page.next;
          isSparse = items.length === 0;
          if (items.length > 0 || pages.length === 0) pages = [...pages, items];
          if (next === null || !isSparse) break;
        }
        if (current.current === query) setListed({ query, pages, next, isSparse });
        if (current.current === query) setProblem(null);
      } catch (error) {
        if (current.current !== query) return;
        setProblem(sentenceOf(error));
        // What is shown until there is an answer is none to this query.
        setListed((shown) => (shown?.query === query ? shown : null));
      } finally {
        setLoading(false);
      }
    },
    [query, read],
  );

  const round = revalidation.value;
  useEffect(() => {
    if (round !== null) void load(null);
  }, [load, round]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden || sessionEnded.value) return;
      // What could not be read is read the next time.
      read(null).then(
        (latest) => {
          if (current.current !== query) return;
          setListed((before) => renewed(before, query, latest));
          setProblem(null);
        },
        () => undefined,
      );
    }, lookAgainMs);
    return () => clearInterval(timer);
  }, [query, read]);

  const more = useCallback(async () => {
    if (listed?.query === query) await load(listed);
  }, [load, listed, query]);
  return {
    pages: listed?.pages ?? null,
    problem,
    isLoading,
    isSparse: listed?.isSparse ?? false,
    more: listed?.next == null ? null : more,
  };
}

/** A list with what its first page holds by now; one that could not be read, or is of another query, begins with it. */
function renewed(before: Listed | null, query: string, latest: Page<ConversationView>): Listed {
  const { items, next } = latest;
  if (before?.query !== query) return { query, pages: [items], next, isSparse: items.length === 0 };
  return { ...before, pages: mergeLatest(before.pages, latest), ...(next === null && { next }) };
}
