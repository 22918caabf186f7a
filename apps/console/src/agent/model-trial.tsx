import type { AgentView } from '@parley/protocol/settings/agent';
import type { ModelTestView } from '@parley/protocol/settings/model-test';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { duration } from '../ui/duration.ts';
import type { FormFields } from '../ui/use-form.ts';
import type { WholeEntries } from './conduct-form.ts';
import { trialSentence } from './model-cause.ts';
import { isBuiltIn } from './providers.ts';
import { trialOf } from './trial-of.ts';

interface ModelTrialProps {
  readonly form: Pick<FormFields<WholeEntries>, 'values'>;
  readonly agent: AgentView;
}

/** Asks the model for a word, with what is entered: saved or not. */
export function ModelTrial({ form: { values }, agent }: ModelTrialProps) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly isGood: boolean; readonly text: string } | null>(null);
  const { provider, model, apiKey, baseUrl, resourceName, region, effort, showReasoning } = values;
  // What was said of others.
  useEffect(
    () => setSaid(null),
    [provider, model, apiKey, baseUrl, resourceName, region, effort, showReasoning],
  );
  if (isBuiltIn(provider)) return null;
  const run = async () => {
    setBusy(true);
    setSaid(null);
    try {
      const body = trialOf(values, agent.model);
      const { durationMs, cause } = await call<ModelTestView>('POST', `/agents/${agent.id}/test-model`, body);
      setSaid(
        cause
          ? {
              isGood: false,
              text: `${trialSentence(cause, effort)} It took ${duration(durationMs)}.`,
            }
          : { isGood: true, text: `It answers, after ${duration(durationMs)}.` },
      );
    } catch (error) {
      setSaid({ isGood: false, text: sentenceOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="actions">
      <button type="button" class="button" disabled={busy || model.trim() === ''} onClick={() => void run()}>
        {busy ? 'Asking…' : 'Test the model'}
      </button>
      <p class={said?.isGood === false ? 'error' : 'hint'} role="status">
        {said?.text ?? 'Makes one small call with what is entered, its reasoning too.'}
      </p>
    </div>
  );
}
