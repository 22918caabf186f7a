import type { AgentView } from '@parley/protocol/settings/agent';
import type { ModelTestView } from '@parley/protocol/settings/model-test';
import { useState } from 'preact/hooks';
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

interface Said {
  /** What it was said of: of nothing else it is shown. */
  readonly entered: string;
  readonly isGood: boolean;
  readonly text: string;
}

/** Asks the model for a word, with what is entered: saved or not. */
export function ModelTrial({ form: { values }, agent }: ModelTrialProps) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Said | null>(null);
  const { provider, model, effort } = values;
  if (isBuiltIn(provider)) return null;
  const body = trialOf(values, agent.model);
  const entered = JSON.stringify(body);
  const run = async () => {
    setBusy(true);
    setSaid(null);
    try {
      const { durationMs, cause } = await call<ModelTestView>('POST', `/agents/${agent.id}/test-model`, body);
      setSaid(
        cause
          ? {
              entered,
              isGood: false,
              text: `${trialSentence(cause, effort)} It took ${duration(durationMs)}.`,
            }
          : { entered, isGood: true, text: `It answers, after ${duration(durationMs)}.` },
      );
    } catch (error) {
      setSaid({ entered, isGood: false, text: sentenceOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const shown = said?.entered === entered ? said : null;
  return (
    <div class="actions">
      <button type="button" class="button" disabled={busy || model.trim() === ''} onClick={() => void run()}>
        {busy ? 'Asking…' : 'Test the model'}
      </button>
      <p class={shown?.isGood === false ? 'error' : 'hint'} role="status">
        {shown?.text ?? 'Makes one small call with what is entered, its reasoning too.'}
      </p>
    </div>
  );
}
