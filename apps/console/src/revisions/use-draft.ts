import type { DraftView } from '@parley/protocol/settings/revision';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, sessionEnded } from '../api/call.ts';

/** The draft of an agent; null until it is there. */
export function useDraft(agentId: string) {
  const [draft, set] = useState<DraftView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      set(await call<DraftView>('GET', `/agents/${agentId}/draft`));
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [agentId]);
  // Also when somebody is back whose session had ended.
  const ended = sessionEnded.value;
  useEffect(() => {
    if (!ended) void reload();
  }, [reload, ended]);
  return { draft, problem, set, reload };
}
