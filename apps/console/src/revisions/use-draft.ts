import type { DraftView } from '@parley/protocol/settings/revision';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { useAsking } from '../ui/use-asking.ts';

/** The draft of an agent; null until it is there. */
export function useDraft(agentId: string) {
  const [draft, showDraft] = useState<DraftView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const ask = useAsking();
  const reload = useCallback(async () => {
    const isNews = ask();
    try {
      const answer = await call<DraftView>('GET', `/agents/${agentId}/draft`);
      if (!isNews()) return;
      showDraft(answer);
      setProblem(null);
    } catch (error) {
      if (isNews()) setProblem(sentenceOf(error));
    }
  }, [agentId, ask]);
  /** As a change of it was answered, which is newer than what is being asked for. */
  const set = useCallback(
    (changed: DraftView) => {
      if (ask()()) showDraft(changed);
    },
    [ask],
  );
  // Also when somebody is back whose session had ended, or the service is.
  const round = revalidation.value;
  useEffect(() => {
    if (round !== null) void reload();
  }, [reload, round]);
  return { draft, problem, set, reload };
}
