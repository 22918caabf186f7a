import type { QuestionTrialView } from '@parley/protocol/settings/question-trial';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';

/** The service ends a turn a little earlier. */
const longestMs = 130_000;

export type Side = 'draft' | 'live';
export type Outcome = QuestionTrialView | { readonly problem: string };
/** By question: what each side said, once it did. */
type Outcomes = ReadonlyMap<string, Partial<Record<Side, Outcome>>>;

/** Asks one question after the other, both sides at once, for as long as somebody is here to read it. */
export function useTrials(agentId: string) {
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [asking, setAsking] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);

  async function run(questions: readonly string[], sides: readonly Side[]): Promise<void> {
    stop();
    const { signal } = (running.current = new AbortController());
    setOutcomes(new Map());
    for (const question of questions) {
      if (signal.aborted) break;
      setAsking(question);
      const ask = async (side: Side) => {
        const outcome = await answerTo(agentId, question, side, signal);
        if (signal.aborted) return;
        setOutcomes((before) => new Map(before).set(question, { ...before.get(question), [side]: outcome }));
      };
      await Promise.all(sides.map(ask));
    }
    if (running.current.signal === signal) setAsking(null);
  }
  return { outcomes, asking, run, stop };
}

async function answerTo(agentId: string, question: string, of: Side, leaving: AbortSignal): Promise<Outcome> {
  try {
    const ending = AbortSignal.any([leaving, AbortSignal.timeout(longestMs)]);
    return await call<QuestionTrialView>('POST', `/agents/${agentId}/try`, { question, of }, ending);
  } catch (error) {
    return { problem: sentenceOf(error) };
  }
}
