import type { FailureCause } from '@parley/protocol/failure-cause';
import type { AgentView } from '@parley/protocol/settings/agent';
import type { ModelTestView } from '@parley/protocol/settings/model-test';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { duration } from '../ui/duration.ts';
import type { FormFields } from '../ui/use-form.ts';
import { type AgentEntries, patchOf } from './agent-entries.ts';
import { isBuiltIn } from './providers.ts';

/** What to do about it, for whoever looks at the form. */
const sentences: Partial<Record<FailureCause['code'], string>> = {
  MODEL_KEY_REJECTED: 'The provider does not accept the API key. Enter it again, or make a new one there.',
  MODEL_NOT_FOUND: 'The provider knows no model of this name, or nothing answers at its address.',
  MODEL_MISCONFIGURED: 'Something is missing or not right: most often the API key.',
  MODEL_UNREACHABLE: 'The provider could not be reached, or has trouble of its own. Try again in a moment.',
  MODEL_TIMED_OUT: 'It did not answer within 20 seconds.',
  MODEL_RATE_LIMITED:
    'The provider takes no more for now: its limit, or the credit of your account, is used up.',
  MODEL_REJECTED: 'The provider refuses the request: the model may not take the settings of the agent.',
  MODEL_MALFORMED: 'What answers there does not speak as this provider does.',
};

interface ModelTrialProps {
  readonly form: Pick<FormFields<AgentEntries>, 'values'>;
  readonly agent: AgentView;
}

/** Asks the model for a word, with what is entered: saved or not. */
export function ModelTrial({ form: { values }, agent }: ModelTrialProps) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly isGood: boolean; readonly text: string } | null>(null);
  const { provider, model, apiKey, baseUrl, resourceName, region } = values;
  // What was said of others.
  useEffect(() => setSaid(null), [provider, model, apiKey, baseUrl, resourceName, region]);
  if (isBuiltIn(provider)) return null;
  const run = async () => {
    setBusy(true);
    setSaid(null);
    try {
      const { model: entered } = patchOf(values, agent.model);
      const body = { model: entered };
      const { durationMs, cause } = await call<ModelTestView>('POST', `/agents/${agent.id}/test-model`, body);
      setSaid(
        cause
          ? {
              isGood: false,
              text: `${sentences[cause.code] ?? cause.message} It took ${duration(durationMs)}.`,
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
        {said?.text ?? 'Makes one small call with what is entered above.'}
      </p>
    </div>
  );
}
